package roll.api.env;

import java.util.Map;

/**
 * The result of one step of an environment.
 *
 * @param observation the next observation
 * @param reward its reward; if not finite, the training step is skipped
 * @param terminated whether the episode ended by the rules of the environment
 * @param truncated whether it was cut short
 * @param metrics numbers of this step, by name
 */
public record Step(
    String observation,
    double reward,
    boolean terminated,
    boolean truncated,
    Map<String, Double> metrics) {
  /** The metric for whether the task is solved: 1 or 0. */
  public static final String SUCCESS = "success";

  /** Creates a step result without metrics of its own. */
  public Step(String observation, double reward, boolean terminated, boolean truncated) {
    this(observation, reward, terminated, truncated, Map.of());
  }

  /**
   * A step of an environment with a goal: reaching it ends the episode with reward 1 and metric
   * {@code success} 1.
   *
   * @param late whether the step limit is reached, which truncates the episode unless the goal is
   *     reached
   */
  public static Step towardsGoal(String observation, boolean reached, boolean late) {
    double success = reached ? 1 : 0;
    return new Step(observation, success, reached, !reached && late, Map.of(SUCCESS, success));
  }

  /** Whether the episode is over after this step. */
  public boolean done() {
    return terminated || truncated;
  }
}
