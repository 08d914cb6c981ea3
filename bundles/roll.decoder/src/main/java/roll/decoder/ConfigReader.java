package roll.decoder;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;

/**
 * Reads fields of a config.json; an invalid one is refused with file, key, value and the allowed
 * values. A null field counts as absent, as in transformers.
 */
public final class ConfigReader {
  private final String where;
  private final String prefix;
  private final Map<?, ? extends @Nullable Object> config;

  /**
   * Creates a reader of {@code config}, the parsed file.
   *
   * @param where the file, for messages
   */
  public ConfigReader(String where, Map<String, @Nullable Object> config) {
    this(where, "", config);
  }

  private ConfigReader(String where, String prefix, Map<?, ? extends @Nullable Object> config) {
    this.where = where;
    this.prefix = prefix;
    this.config = config;
  }

  /** Returns whether config.json has a value of the field. */
  public boolean has(String key) {
    return config.get(key) != null;
  }

  /** A required integer from 1 up. */
  public int count(String key) {
    Object value = config.get(key);
    if (value instanceof Number number
        && number.doubleValue() == number.intValue()
        && number.intValue() > 0) {
      return number.intValue();
    }
    throw wrong(key, "an integer from 1 up");
  }

  /** An integer from 1 up; {@code standard} where it is absent. */
  public int count(String key, int standard) {
    return has(key) ? count(key) : standard;
  }

  /** Returns a required number above 0. */
  public double positive(String key) {
    Object value = config.get(key);
    if (value instanceof Number number
        && number.doubleValue() > 0
        && number.doubleValue() < Double.POSITIVE_INFINITY) {
      return number.doubleValue();
    }
    throw wrong(key, "a number above 0");
  }

  /** A number above 0; {@code standard} where it is absent. */
  public double positive(String key, double standard) {
    return has(key) ? positive(key) : standard;
  }

  /** A number from 0 up, but below 1; {@code standard} where it is absent. */
  public double share(String key, double standard) {
    Object value = config.get(key);
    if (value == null) {
      return standard;
    }
    if (value instanceof Number number && number.doubleValue() >= 0 && number.doubleValue() < 1) {
      return number.doubleValue();
    }
    throw wrong(key, "a number from 0 up, below 1");
  }

  /** Returns a boolean; {@code standard} if it is absent. */
  public boolean flag(String key, boolean standard) {
    Object value = config.get(key);
    if (value == null) {
      return standard;
    }
    if (value instanceof Boolean flag) {
      return flag;
    }
    throw wrong(key, "true or false");
  }

  /** Returns a required text field of config.json. */
  public String text(String key) {
    if (config.get(key) instanceof String text) {
      return text;
    }
    throw wrong(key, "text");
  }

  /** Returns the elements of a list; empty if it is absent. */
  public List<?> list(String key) {
    Object value = config.get(key);
    if (value == null) {
      return List.of();
    }
    if (value instanceof List<?> list) {
      return list;
    }
    throw wrong(key, "a list");
  }

  /** Returns a reader of an object within the file; empty if it is absent. */
  public ConfigReader within(String key) {
    Object value = config.get(key);
    if (value == null) {
      return new ConfigReader(where, prefix + key + ".", Map.of());
    }
    if (value instanceof Map<?, ?> map) {
      return new ConfigReader(where, prefix + key + ".", map);
    }
    throw wrong(key, "an object");
  }

  /** Returns the names of all fields. */
  public List<String> keys() {
    return config.keySet().stream().map(String::valueOf).sorted().toList();
  }

  /** Refuses any value of a config.json field but {@code only}. */
  public void refuseUnless(String key, Object only) {
    Object value = config.get(key);
    boolean same =
        (only instanceof Number a && value instanceof Number b)
            ? a.doubleValue() == b.doubleValue()
            : Objects.equals(only, value);
    if (value != null && !same) {
      throw unsupported(key, value, only.toString());
    }
  }

  /**
   * Returns the exception that {@code found}, the value of {@code key} or a part of it, is not
   * supported.
   */
  public UserException unsupported(String key, Object found, String allowed) {
    return new UserException(
        "%s: %s%s: %s is not supported (allowed: %s)"
            .formatted(where, prefix, key, found, allowed));
  }

  /**
   * Returns the exception that {@code key} is missing or has a value that is not {@code allowed}.
   */
  public UserException wrong(String key, String allowed) {
    Object value = config.get(key);
    String found = value == null ? "nothing" : "'" + value + "'";
    return new UserException(
        "%s: %s%s: expected %s, found %s".formatted(where, prefix, key, allowed, found));
  }

  /** Refuses a count that is not divisible by another. */
  public void requireDivisible(String key, String divisor) {
    if (count(key) % count(divisor) != 0) {
      throw new UserException(
          "%s: %s%s (%d) is not divisible by %s (%d)"
              .formatted(where, prefix, key, count(key), divisor, count(divisor)));
    }
  }
}
