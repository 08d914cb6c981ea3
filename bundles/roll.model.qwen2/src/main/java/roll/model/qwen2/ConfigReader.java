package roll.model.qwen2;

import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import roll.api.config.UserException;

/**
 * Reads fields of a config.json; a wrong one is refused with file, key, value and what is right.
 */
record ConfigReader(String where, Map<String, @Nullable Object> config) {
  /** A required whole number from 1 up. */
  int count(String key) {
    Object value = config.get(key);
    if (value instanceof Number number
        && number.doubleValue() == number.intValue()
        && number.intValue() > 0) {
      return number.intValue();
    }
    throw wrong(key, value, "a whole number from 1 up");
  }

  /** A whole number from 1 up; {@code standard} where it is absent. */
  int count(String key, int standard) {
    return config.get(key) == null ? standard : count(key);
  }

  /** A number above 0; {@code standard} where it is absent. */
  double positive(String key, double standard) {
    Object value = config.get(key);
    if (value == null) {
      return standard;
    }
    if (value instanceof Number number
        && number.doubleValue() > 0
        && number.doubleValue() < Double.POSITIVE_INFINITY) {
      return number.doubleValue();
    }
    throw wrong(key, value, "a number above 0");
  }

  /** True or false; {@code standard} where it is absent. */
  boolean flag(String key, boolean standard) {
    Object value = config.get(key);
    if (value == null) {
      return standard;
    }
    if (value instanceof Boolean flag) {
      return flag;
    }
    throw wrong(key, value, "true or false");
  }

  /** The whole quotient of two counts. */
  int quotient(String key, String divisor) {
    requireDivisible(key, count(key), divisor, count(divisor));
    return count(key) / count(divisor);
  }

  /** Refuses {@code value} if {@code divisor} does not divide it. */
  void requireDivisible(String name, int value, String divisorName, int divisor) {
    if (value % divisor != 0) {
      throw new UserException(
          "%s: %s (%d) is not divisible by %s (%d)"
              .formatted(where, name, value, divisorName, divisor));
    }
  }

  /** Refuses any value but {@code only} for a field whose other values are not supported. */
  void refuseUnless(String key, @Nullable Object only) {
    Object value = config.get(key);
    boolean same =
        (only instanceof Number a && value instanceof Number b)
            ? a.doubleValue() == b.doubleValue()
            : Objects.equals(only, value);
    if (value != null && !same) {
      throw new UserException(
          "%s: %s: %s is not supported (allowed: %s)".formatted(where, key, value, only));
    }
  }

  private UserException wrong(String key, @Nullable Object value, String allowed) {
    String found = value == null ? "nothing" : "'" + value + "'";
    return new UserException("%s: %s: expected %s, found %s".formatted(where, key, allowed, found));
  }
}
