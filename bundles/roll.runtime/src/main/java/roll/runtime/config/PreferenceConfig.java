package roll.runtime.config;

import java.util.Map;

/**
 * Objective and further fields of supervised training on preferences ({@code preference}).
 *
 * @param objective id of the objective
 * @param args {@code objective_args}: options of the objective
 * @param chosenKey field of the better answer, in rows of pairs
 * @param rejectedKey field of the worse answer
 * @param labelKey field that says whether a single answer is desirable
 */
public record PreferenceConfig(
    String objective,
    Map<String, Object> args,
    String chosenKey,
    String rejectedKey,
    String labelKey) {

  /** A map that does not change. */
  public PreferenceConfig {
    args = Map.copyOf(args);
  }

  /** Returns the name of the objective as the configuration has it. */
  public NamedPlugin named() {
    return new NamedPlugin("preference.objective", "roll.preference", objective);
  }
}
