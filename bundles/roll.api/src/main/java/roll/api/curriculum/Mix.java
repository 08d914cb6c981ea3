package roll.api.curriculum;

import java.util.Map;

/**
 * What a step plays.
 *
 * @param shares of the training groups by tag, each from 0 to 1, together 1; a tag that is not
 *     there is not played
 * @param memory finite numbers that the next step is given, in names of the plugin's choice
 */
public record Mix(Map<String, Double> shares, Map<String, Double> memory) {
  /** Copies, which nobody changes. */
  public Mix {
    shares = Map.copyOf(shares);
    memory = Map.copyOf(memory);
  }
}
