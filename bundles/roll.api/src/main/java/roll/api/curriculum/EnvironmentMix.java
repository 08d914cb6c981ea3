package roll.api.curriculum;

import java.util.Map;

/**
 * Distribution of the groups of a training step over environments.
 *
 * @param shares fraction of the training groups by tag, each from 0 to 1, summing to 1; a missing
 *     tag is not played
 * @param memory finite numbers passed to the next step, under names the plugin chooses
 */
public record EnvironmentMix(Map<String, Double> shares, Map<String, Double> memory) {
  /** Creates an environment mix with immutable copies of the maps. */
  public EnvironmentMix {
    shares = Map.copyOf(shares);
    memory = Map.copyOf(memory);
  }
}
