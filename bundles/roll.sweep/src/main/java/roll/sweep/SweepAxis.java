package roll.sweep;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import roll.api.option.UserException;

/**
 * A key with the values that are run.
 *
 * @param key dotted path
 * @param values as written, each another one
 */
record SweepAxis(String key, List<String> values) {
  /** The key that tells runs of one combination apart. */
  static final String SEED = "seed";

  SweepAxis {
    values = List.copyOf(values);
  }

  /**
   * The axis of {@code key} with the values of {@code text}.
   *
   * @throws UserException if that is no list, or has a value twice
   */
  static SweepAxis of(String key, String text) {
    List<String> values = ValueList.of(key, text);
    List<String> seen = new ArrayList<>();
    for (String value : values) {
      String same = same(value);
      if (seen.contains(same)) {
        throw new UserException(
            "sweep: %s: %s is there twice in %s"
                .formatted(key, values.get(seen.indexOf(same)), text));
      }
      seen.add(same);
    }
    return new SweepAxis(key, values);
  }

  boolean isSeed() {
    return key.equals(SEED);
  }

  /** {@code value} in a form that other ways to write it have too: 1e-3 and 0.001 are one. */
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
