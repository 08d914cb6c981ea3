package roll.api.env;

import java.util.Map;

/**
 * What a response did.
 *
 * @param observation what the agent sees next
 * @param reward what is not finite keeps the step of the run from being trained on
 * @param terminated whether the episode ended by its own rules
 * @param truncated whether it was cut short
 * @param metrics numbers of this step, by name
 */
public record Step(
    String observation,
    double reward,
    boolean terminated,
    boolean truncated,
    Map<String, Double> metrics) {
  /** The metric that says whether the task is done: 1 or 0. */
  public static final String SUCCESS = "success";

  /** A step without metrics of its own. */
  public Step(String observation, double reward, boolean terminated, boolean truncated) {
    this(observation, reward, terminated, truncated, Map.of());
  }

  /**
   * A step of a world with a goal: reaching it ends the episode, is worth 1 and counts as the
   * metric {@code success}.
   *
   * @param late whether the steps are used up; cuts the episode short where the goal is not reached
   */
  public static Step towardsGoal(String observation, boolean reached, boolean late) {
    double success = reached ? 1 : 0;
    return new Step(observation, success, reached, !reached && late, Map.of(SUCCESS, success));
  }

  /** Whether the episode is over. */
  public boolean done() {
    return terminated || truncated;
  }
}
