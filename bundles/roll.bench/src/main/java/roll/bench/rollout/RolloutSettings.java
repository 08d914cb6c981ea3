package roll.bench.rollout;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import roll.api.option.UserException;
import roll.text.Suggestion;

/** What can be set of a measurement of rollouts: numbers by their names. */
public final class RolloutSettings {
  private final Map<String, Double> values = new LinkedHashMap<>();

  /**
   * The defaults, or what {@code words} say in place of them.
   *
   * @param quick with the defaults of a short measurement
   * @param words {@code key=value}; where a key is unknown, all are named
   * @throws UserException if a word is none
   */
  public RolloutSettings(boolean quick, List<String> words) {
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
        // said below
      }
      if (!values.containsKey(key) || !(value >= 0)) {
        throw new UserException(
            "bench rollout: '%s': expected one of %s with = and a number%s"
                .formatted(
                    word,
                    String.join(", ", values.keySet()),
                    Suggestion.near(key, values.keySet())));
      }
      values.put(key, value);
    }
  }

  /** The setting {@code key} without its fraction. */
  public int whole(String key) {
    return values.getOrDefault(key, 0.0).intValue();
  }

  /** The setting {@code key}. */
  public double number(String key) {
    return values.getOrDefault(key, 0.0);
  }
}
