package roll.api.option;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An option of a plugin: declared once, documented and validated by its declaration, and read with
 * its type by {@link Options#get}.
 *
 * <p>A key in code rather than an annotated interface (OSGi metatype) or a record: those need
 * reflection, annotation defaults are constants of few types, and neither expresses a range, a
 * nested mapping, or a default that differs between environments of a family.
 *
 * @param <T> type of its values
 * @param name key in the YAML
 * @param type allowed values
 * @param defaultValue value if the key is absent; null for none
 * @param description one sentence
 */
public record Option<T>(
    String name, OptionType<T> type, @Nullable T defaultValue, String description) {
  /**
   * Checks the default.
   *
   * @throws IllegalArgumentException if the default does not have the type
   */
  public Option {
    if (defaultValue != null && !isRead(type, defaultValue)) {
      throw new IllegalArgumentException(
          "option " + name + ": the default " + defaultValue + " is not of type " + type);
    }
  }

  private static boolean isRead(OptionType<?> type, Object value) {
    return switch (type) {
      case OptionType.Flag _ -> value instanceof Boolean;
      case OptionType.Int _ -> value instanceof Integer;
      case OptionType.Real _ -> value instanceof Double;
      case OptionType.Text _ -> value instanceof String;
      case OptionType.Texts _, OptionType.Elements _ ->
          value instanceof List<?> list && list.stream().allMatch(String.class::isInstance);
      case OptionType.Mapping _ ->
          value instanceof Map<?, ?> map
              && map.keySet().stream().allMatch(String.class::isInstance)
              && map.values().stream().allMatch(String.class::isInstance);
      case OptionType.Nested _ -> value instanceof RawOptions;
    };
  }

  /** Declares an option whose value is true or false. */
  public static Option<Boolean> flag(String name, String description) {
    return new Option<>(name, new OptionType.Flag(), null, description);
  }

  /** Declares an option whose value is an integer. */
  public static Option<Integer> integer(String name, String description) {
    return integer(name, Integer.MIN_VALUE, Integer.MAX_VALUE, description);
  }

  /** Declares an option whose value is an integer in {@code [min, max]}. */
  public static Option<Integer> integer(String name, int min, int max, String description) {
    return new Option<>(name, new OptionType.Int(min, max), null, description);
  }

  /** Declares an option whose value is a finite number. */
  public static Option<Double> number(String name, String description) {
    return number(name, -Double.MAX_VALUE, Double.MAX_VALUE, description);
  }

  /** Declares an option whose value is a number in {@code [min, max]}. */
  public static Option<Double> number(String name, double min, double max, String description) {
    return new Option<>(name, new OptionType.Real(min, max), null, description);
  }

  /** A finite number above 0. */
  public static Option<Double> positive(String name, String description) {
    return number(name, Double.MIN_NORMAL, Double.MAX_VALUE, description);
  }

  /** Declares an option whose value is any text. */
  public static Option<String> text(String name, String description) {
    return new Option<>(name, new OptionType.Text(List.of()), null, description);
  }

  /** Declares an option whose value is one of several texts. */
  public static Option<String> choice(String name, List<String> choices, String description) {
    return new Option<>(name, new OptionType.Text(choices), null, description);
  }

  /** A list of texts; a single text is a list of one. */
  public static Option<List<String>> texts(String name, String description) {
    return new Option<>(name, new OptionType.Texts(), null, description);
  }

  /** Declares an option whose value is a list of texts; elements of any type are read as text. */
  public static Option<List<String>> list(String name, String description) {
    return new Option<>(name, new OptionType.Elements(), null, description);
  }

  /** A mapping whose keys and values of any type are read as text, in the order written. */
  public static Option<Map<String, String>> mapping(String name, String description) {
    return new Option<>(name, new OptionType.Mapping(), null, description);
  }

  /**
   * Declares an option whose value is a mapping with options of its own; empty if the key is
   * absent.
   */
  public static Option<RawOptions> nested(String name, String description) {
    return new Option<>(name, new OptionType.Nested(), null, description);
  }

  /** Returns this option with another default. */
  public Option<T> withDefault(T value) {
    return new Option<>(name, type, value, description);
  }

  /** Returns this option with another description. */
  public Option<T> withDescription(String other) {
    return new Option<>(name, type, defaultValue, other);
  }
}
