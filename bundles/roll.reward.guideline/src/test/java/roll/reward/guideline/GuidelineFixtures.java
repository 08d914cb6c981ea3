package roll.reward.guideline;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import roll.api.data.Message;
import roll.api.data.Trajectory;
import roll.api.data.TrajectoryKey;
import roll.api.reward.AnswerGrader;
import roll.api.reward.Grade;
import roll.api.reward.Reward;
import roll.api.reward.RewardModels;
import roll.testkit.InMemoryPluginRegistry;
import roll.testkit.TestOptions;

/** A guideline reward with fake graders and a fake solver. */
final class GuidelineFixtures {
  private final InMemoryPluginRegistry shelf =
      new InMemoryPluginRegistry()
          .with("roll.grader", "math_verify", new Ends(""))
          .with("roll.grader", "string", new Ends("!"));

  private final List<List<Message>> asked = new ArrayList<>();

  /** A grader that compares the end of a response with the answer and a mark. */
  private record Ends(String mark) implements AnswerGrader {
    @Override
    public String description() {
      return "for tests";
    }

    @Override
    public boolean equal(String gold, String response) {
      if (response.contains("odd")) {
        throw new IllegalStateException(response);
      }
      return response.endsWith(gold + mark);
    }

    @Override
    public Optional<String> answer(String response) {
      return Optional.of(response.substring(response.lastIndexOf(' ') + 1));
    }
  }

  /** Returns an episode whose planner wrote {@code response}. */
  static Trajectory planned(Map<String, ?> facts, String response) {
    return new Trajectory(
            new TrajectoryKey("Planner", 0, 0, 0, 1),
            List.of(),
            new double[1],
            new long[1],
            List.of(new Message("user", "6*7?"), new Message("assistant", response)),
            Map.of(),
            "terminated")
        .withFacts(facts);
  }

  static final Map<String, ?> FACTS = Map.of("question", "6*7?", "answer", "42");

  /** Returns the reward with {@code options}. */
  Reward reward(Map<String, String> environment, Map<String, Object> options) {
    GuidelineReward function = new GuidelineReward(shelf, environment);
    return function.configure(TestOptions.of("rewards.guideline", options, function.options()));
  }

  /** Returns a solver that answers {@code with} after a guideline and {@code without} otherwise. */
  RewardModels solver(String with, String without) {
    return (model, messages) -> {
      assertEquals("solver", model);
      asked.add(messages);
      return messages.getLast().content().contains("Guideline: ") ? with : without;
    };
  }

  /** Returns the grade of {@code episode} with such a solver. */
  Grade grade(Map<String, Object> options, Trajectory episode, String with, String without)
      throws InterruptedException {
    try (Reward reward = reward(Map.of(), options)) {
      return reward.grade(episode, solver(with, without));
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /** Returns the registered graders. */
  InMemoryPluginRegistry shelf() {
    return shelf;
  }

  /** Returns the requests to the solver. */
  List<List<Message>> asked() {
    return asked;
  }
}
