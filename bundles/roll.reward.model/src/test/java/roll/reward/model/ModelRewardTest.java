package roll.reward.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static roll.testkit.UserErrors.userError;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import roll.api.data.Message;
import roll.api.data.Trajectory;
import roll.api.data.TrajectoryKey;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.reward.Grade;
import roll.api.reward.ModelScore;
import roll.api.reward.Reward;
import roll.api.reward.RewardFunction;
import roll.api.reward.RewardModels;
import roll.testkit.RewardContract;
import roll.testkit.TestOptions;

@NullMarked
class ModelRewardTest extends RewardContract {
  private static final Map<String, Object> OPTIONS = Map.of("model", "rm");

  /** A model that scores a tenth per character of a conversation, at most nine tenths. */
  private static final class Counting implements RewardModels {
    @Override
    public String ask(String model, List<Message> messages) {
      throw new AssertionError(model + " is not to write");
    }

    @Override
    public ModelScore score(String model, List<Message> messages) {
      assertEquals("rm", model);
      int length = messages.stream().mapToInt(message -> message.content().length()).sum();
      return new ModelScore(Math.min(length, 9) / 10.0, length > 9);
    }
  }

  /** Returns the reward with the model {@link Counting}. */
  @Override
  protected RewardFunction function() {
    ModelReward function = new ModelReward();
    return new RewardFunction() {
      @Override
      public String description() {
        return function.description();
      }

      @Override
      public List<Option<?>> options() {
        return function.options();
      }

      @Override
      public Reward configure(Options options) {
        Reward reward = function.configure(options);
        return (episode, models) -> reward.grade(episode, new Counting());
      }
    };
  }

  @Override
  protected Map<String, Object> options() {
    return OPTIONS;
  }

  @Test
  void theWholeConversationIsScored() {
    assertEquals(
        new Grade(0.8, Map.of("cut", 0.0), null),
        grade(reward(OPTIONS), episode("ab")),
        "turn 0ab");
    assertEquals(
        new Grade(0.9, Map.of("cut", 1.0), null), grade(reward(OPTIONS), episode("ab", "c")));
    assertEquals(new Grade(0, Map.of("cut", 0.0), null), grade(reward(OPTIONS), episode()));
  }

  @Test
  void unansweredMessagesAreNotScored() {
    assertEquals(0.2, score(OPTIONS, ended("max_turns")), "ab");
    assertEquals(0.3, score(OPTIONS, ended("terminal")), "abc");
  }

  private static Trajectory ended(String finish) {
    return new Trajectory(
        new TrajectoryKey("Test", 0, 0, 0, 42),
        List.of(),
        new double[1],
        new long[1],
        List.of(new Message("user", "a"), new Message("assistant", "b"), new Message("tool", "c")),
        Map.of(),
        finish);
  }

  @Test
  void itsModelIsOneThatScores() {
    ModelReward function = new ModelReward();
    Options options = TestOptions.of("rewards.model", OPTIONS, function.options());
    assertEquals(List.of("rm"), function.scorers(options).stream().map(options::get).toList());
    assertEquals(List.of(), function.models(options));
    assertEquals(
        "rewards.model.model is required",
        userError(
            () ->
                function.configure(TestOptions.of("rewards.model", Map.of(), function.options()))));
  }
}
