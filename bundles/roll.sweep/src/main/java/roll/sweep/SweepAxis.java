package roll.sweep;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import roll.api.option.UserException;

/**
 * A swept key with its values.
 *
 * @param key dotted path
 * @param values as written, all different
 */
record SweepAxis(String key, List<String> values) {
  /** The configuration key that distinguishes the runs of one combination. */
  static final String SEED = "seed";

  SweepAxis {
    values = List.copyOf(values);
  }

  /**
   * Returns the axis of {@code key} with the values in {@code text}.
   *
   * @throws UserException if {@code text} is no list, or repeats a value
   */
  static SweepAxis of(String key, String text) {
    List<String> values = ValueList.of(key, text);
    List<String> seen = new ArrayList<>();
    for (String value : values) {
      String same = same(value);
      if (seen.contains(same)) {
        throw new UserException(
            "sweep: %s: %s occurs twice in %s"
                .formatted(key, values.get(seen.indexOf(same)), text));
      }
      seen.add(same);
    }
    return new SweepAxis(key, values);
  }

  boolean isSeed() {
    return key.equals(SEED);
  }

  /** Returns a canonical form of {@code value}: 1e-3 and 0.001 are equal. */
  private static String same(String value) {
    String bare =
        value.length() > 1 && value.matches("(?s)'.*'|\".*\"")
            ? value.substring(1, value.length() - 1)
            : value;
    try {
      return new BigDecimal(bare).stripTrailingZeros().toString();
    } catch (NumberFormatException e) {
      return bare;
    }
  }
}
