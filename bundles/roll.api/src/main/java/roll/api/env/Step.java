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
  /** A step without metrics of its own. */
  public Step(String observation, double reward, boolean terminated, boolean truncated) {
    this(observation, reward, terminated, truncated, Map.of());
  }

  /** Whether the episode is over. */
  public boolean done() {
    return terminated || truncated;
  }
}
