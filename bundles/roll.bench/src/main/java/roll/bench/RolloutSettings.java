package roll.bench;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import roll.api.option.UserException;
import roll.text.Suggestion;

/** The settings of {@code bench rollout}: numbers by key. */
final class RolloutSettings {
  private final Map<String, Double> values = new LinkedHashMap<>();

  /**
   * Creates the default rollout settings with changes.
   *
   * @param quick whether to use the defaults of a short measurement
   * @param words {@code key=value}
   * @throws UserException with the known keys, if a word is no setting
   */
  RolloutSettings(boolean quick, List<String> words) {
    values.put("groups", 16.0);
    values.put("group_size", 8.0);
    values.put("turns", 10.0);
    values.put("share", 0.05);
    values.put("wave", quick ? 0.01 : 0.1);
    values.put("hung_timeout", quick ? 0.1 : 1.0);
    values.put("redundancy", 2.0);
    values.put("rollouts", quick ? 1.0 : 5.0);
    for (String word : words) {
      String key = word.replaceFirst("=.*", "");
      double value = Double.NaN;
      try {
        value = Double.parseDouble(word.substring(Math.min(word.length(), key.length() + 1)));
      } catch (NumberFormatException e) {
        // reported below
      }
      if (!values.containsKey(key) || !(value >= 0)) {
        throw new UserException(
            "bench rollout: '%s': expected key=number with a key of %s%s"
                .formatted(
                    word,
                    String.join(", ", values.keySet()),
                    Suggestion.near(key, values.keySet())));
      }
      values.put(key, value);
    }
  }

  /** Returns the setting {@code key} as an integer. */
  int integer(String key) {
    return values.getOrDefault(key, 0.0).intValue();
  }

  /** Returns the numeric setting {@code key}. */
  double number(String key) {
    return values.getOrDefault(key, 0.0);
  }
}
