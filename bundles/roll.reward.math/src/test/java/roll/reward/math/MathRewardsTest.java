package roll.reward.math;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static roll.testkit.UserErrors.userError;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.data.Message;
import roll.api.data.Trajectory;
import roll.api.data.TrajectoryKey;
import roll.api.reward.Grade;
import roll.api.reward.Reward;
import roll.api.reward.RewardFunction;
import roll.api.reward.RewardModels;
import roll.testkit.InMemoryPluginRegistry;
import roll.testkit.TestOptions;

/** Scores of each reward computed by hand. */
class MathRewardsTest {
  private final InMemoryPluginRegistry shelf =
      new InMemoryPluginRegistry().with("roll.grader", "math_verify", new LastWordGrader());

  /** Returns an episode of messages written {@code role: text}; the tool is a calculator. */
  static Trajectory said(String gold, String... messages) {
    List<Message> conversation = new ArrayList<>();
    for (String message : messages) {
      String[] parts = message.split(": ", 2);
      @Nullable String tool = parts[0].equals("tool") ? "calculator" : null;
      conversation.add(new Message(parts[0], parts[1], tool));
    }
    return new Trajectory(
            new TrajectoryKey("Math", 0, 0, 0, 1),
            List.of(),
            new double[1],
            new long[1],
            conversation,
            Map.of(),
            "terminated")
        .withFacts(Map.of("answer", gold));
  }

  private static Grade grade(RewardFunction function, Trajectory episode) throws Exception {
    try (Reward reward = function.configure(TestOptions.of("r", Map.of(), function.options()))) {
      return reward.grade(episode, RewardModels.NONE);
    }
  }

  private static void gives(RewardFunction function, double score, double acc, Trajectory episode)
      throws Exception {
    Grade grade = grade(function, episode);
    assertEquals(score, grade.score());
    assertEquals(Map.of("acc", acc), grade.details());
  }

  @Test
  void equalIsOneOrNothing() throws Exception {
    MathEqualReward reward = new MathEqualReward(shelf);
    gives(reward, 1, 1, said("\\frac{1}{2}", "assistant: so \\boxed{\\dfrac12}"));
    gives(reward, 1, 1, said("2", "assistant: \\boxed{2.0}"));
    gives(reward, 1, 1, said("x+1", "assistant: it is x+1")); // by the grader
    gives(reward, 0, 0, said("3", "assistant: \\boxed{2}"));
    gives(reward, 0, 0, said("", "assistant: "));
    assertEquals("2.0", grade(reward, said("2", "assistant: \\boxed{2.0}")).answer());
    assertEquals(0, shelf.leased());
  }

  @Test
  void withToolsAWrongAnswerIsATenth() throws Exception {
    MathEqualRewardTool reward = new MathEqualRewardTool(shelf);
    gives(reward, 0, 1, said("2", "assistant: \\boxed{2}"));
    gives(reward, 1, 1, said("2", "assistant: 1+1", "tool: 2", "assistant: \\boxed{2}"));
    gives(reward, 0.1, 0, said("2", "assistant: 1+1", "tool: 2", "assistant: \\boxed{3}"));
  }

  @Test
  void thoughtsMustBeThere() throws Exception {
    MathRewardThoughtWithTool reward = new MathRewardThoughtWithTool(shelf);
    gives(reward, 1, 1, said("2", "assistant: Thought: add", "tool: 2", "assistant: THOUGHT is 2"));
    gives(reward, 0.1, 0, said("2", "assistant: thought", "tool: 2", "assistant: thought"));
    gives(reward, 0, 1, said("2", "assistant: thought", "tool: 2", "assistant: it is 2"));
    gives(reward, 0, 1, said("2", "assistant: thought is 2"));
  }

  @Test
  void thinkingMustBeThere() throws Exception {
    MathEqualRewardThink reward = new MathEqualRewardThink(shelf);
    String thinks = "assistant: <think>1+1</think> it is ";
    gives(reward, 1, 1, said("2", thinks + "…", "tool: 2", thinks + "2"));
    gives(reward, 0.1, 0, said("2", thinks + "…", "tool: 2", thinks + "3"));
    gives(reward, 0, 1, said("2", thinks + "…", "tool: 2", "assistant: it is 2"));
    gives(reward, 0, 1, said("2", thinks + "2"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "42 | The answer is 42. | 1",
        "1,234 | #### 1234 | 1",
        "1234 | that makes 1,234 dollars | 1",
        "1/2 | \\boxed{0.5} | 1",
        "42 | 42 of 43 | 0",
        "42 | The answer is 42.0 | 0",
        "blue | blue | 1",
        "blue | red | 0",
      })
  void stringsNeedNoTool(String gold, String response, double score) throws Exception {
    gives(new MathRewardStringEqual(), score, score, said(gold, "assistant: " + response));
  }

  @Test
  void theLastNumberCountsAfterATool() throws Exception {
    MathStringEqualRewardTool reward = new MathStringEqualRewardTool();
    gives(reward, 0, 1, said("2", "assistant: 2"));
    gives(reward, 1, 1, said("1234", "assistant: sum", "tool: 1234", "assistant: it is 1,234."));
    gives(reward, 0.1, 0, said("234", "assistant: sum", "tool: 1234", "assistant: it is 1,234."));
    gives(reward, 0.1, 0, said("2", "assistant: sum", "tool: none"));
    assertNull(grade(reward, said("2", "tool: none")).answer());
  }

  @Test
  void aGraderMustBeThere() {
    MathEqualReward reward = new MathEqualReward(shelf);
    String missing =
        userError(
            () ->
                reward.configure(
                    TestOptions.of("r", Map.of("grader", "math_verifi"), reward.options())));
    assertEquals(
        "r.grader: no roll.grader 'math_verifi' is registered (registered: math_verify); did you"
            + " mean 'math_verify'?",
        missing);
  }
}
