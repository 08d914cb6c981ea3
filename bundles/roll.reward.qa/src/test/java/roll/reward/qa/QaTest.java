package roll.reward.qa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.data.Message;
import roll.api.data.Trajectory;
import roll.api.data.TrajectoryKey;
import roll.api.reward.Grade;
import roll.api.reward.RewardFunction;
import roll.api.reward.RewardModels;
import roll.testkit.TestOptions;

/** Scores computed by hand. */
class QaTest {
  static Trajectory answered(Map<String, ?> facts, int tools, String response) {
    List<Message> messages = new ArrayList<>(List.of(new Message("user", "?")));
    for (int tool = 0; tool < tools; tool++) {
      messages.add(new Message("assistant", "look"));
      messages.add(new Message("tool", "found", "search"));
    }
    messages.add(new Message("assistant", response));
    return new Trajectory(
            new TrajectoryKey("Qa", 0, 0, 0, 1),
            List.of(),
            new double[1],
            new long[1],
            messages,
            Map.of(),
            "terminated")
        .withFacts(facts);
  }

  static Grade grade(RewardFunction function, Trajectory episode) throws Exception {
    return function
        .configure(TestOptions.of("r", Map.of(), function.options()))
        .grade(episode, RewardModels.NONE);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Eiffel Tower | The Eiffel Tower, in Paris | 0.6666666666666666 | 0 | 0.5 | 1",
        "the Eiffel tower | An EIFFEL tower! | 1 | 1 | 1 | 1",
        "a b b c | b b b x | 0.5714285714285714 | 0 | 0.5 | 0.6666666666666666",
        "Rome | Paris | 0 | 0 | 0 | 0",
        "yes | yes it is | 0 | 0 | 0 | 0",
        "yes it is | Yes. | 0 | 0 | 0 | 0",
        "no | No! | 1 | 1 | 1 | 1",
        "The The | the the | 1 | 1 | 1 | 1",
        "The The | ' ' | 0 | 0 | 0 | 0",
        "42 | ' ' | 0 | 0 | 0 | 0",
      })
  void wordsAreCompared(
      String gold, String response, double f1, double em, double precision, double recall)
      throws Exception {
    Grade grade = grade(new QaF1Reward(), answered(Map.of("answer", gold), 0, response));
    assertEquals(f1, grade.score(), 1e-12);
    Map<String, Double> details = grade.details();
    assertEquals(List.of("f1", "em", "precision", "recall"), List.copyOf(details.keySet()));
    assertEquals(List.of(grade.score(), em, precision, recall), List.copyOf(details.values()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "' The  Eiffel\u00a0Tower, a\tthing! ' | eiffel tower thing",
        "the a an | ''",
        "theatre anna a1 | theatre anna a1",
        "the—cat's U.S.A. | —cats usa",
        "a-n apple | apple",
        "Été à la 🐧 | été à la 🐧",
        "x the | x",
      })
  void haveOneSpelling(String text, String normal) {
    assertEquals(normal, SquadMetrics.normal(text));
  }

  @Test
  void theNearestOfSeveralCounts() throws Exception {
    Map<String, ?> facts = Map.of("golden_answers", List.of("New York City", "Big Apple"));
    Trajectory episode = answered(facts, 0, "the big green apple");
    assertEquals(0.8, grade(new QaF1Reward(), episode).score(), 1e-12); // P 2/3, R 1
    assertEquals(0.8, grade(new OkVqaReward(), episode).score(), 1e-12);
    assertEquals(0, grade(new ExactMatchReward(), episode).score());
    assertEquals("big green apple", grade(new ExactMatchReward(), episode).answer());
    assertEquals(1, grade(new ExactMatchReward(), answered(facts, 0, "Big apple.")).score());
    assertNull(grade(new ExactMatchReward(), answered(facts, 0, "the")).answer());
  }

  @Test
  void someWantTools() throws Exception {
    Map<String, ?> facts = Map.of("answer", "big apple");
    assertEquals(0, grade(new QaF1RewardTool(), answered(facts, 1, "big apple")).score());
    assertEquals(1, grade(new QaF1RewardTool(), answered(facts, 2, "big apple")).score());
    assertEquals(0.8, grade(new InfoseekReward(), answered(facts, 1, "big apple")).score(), 1e-12);
    assertEquals(1, grade(new InfoseekReward(), answered(facts, 2, "big apple")).score(), 1e-12);
    assertEquals(0.2, grade(new InfoseekReward(), answered(facts, 3, "none")).score(), 1e-12);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "<think>Rome?</think><answer> The Paris. </answer> | 1",
        "<answer>Rome</answer> no: <answer>Paris</answer> | 1",
        "<answer>Paris</answer> or <answer>Rome</answer> | 0",
        "Paris | 0",
        "<answer>Paris | 0",
        "</answer>Paris<answer> | 0",
      })
  void whereATagIsNamedOnlyWhatItHasCounts(String response, double score) throws Exception {
    RewardFunction function = new ExactMatchReward();
    Grade grade =
        function
            .configure(TestOptions.of("r", Map.of("answer_tag", "answer"), function.options()))
            .grade(answered(Map.of("answer", "Paris"), 0, response), RewardModels.NONE);
    assertEquals(score, grade.score());
  }

  @Test
  void aTagIsAName() {
    RewardFunction function = new ExactMatchReward();
    String refused =
        userError(
            () ->
                function.configure(
                    TestOptions.of("r", Map.of("answer_tag", "<answer>"), function.options())));
    assertTrue(refused.contains("without brackets"), refused);
  }
}
