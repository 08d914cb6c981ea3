package roll.api.option;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An option that a plugin understands: declared once, shown to people and checked as declared, read
 * by {@link Options#get} as what it is.
 *
 * <p>Why a key in code and not an annotated interface (OSGi metatype) or a record: those are read
 * by reflection, an annotation's default is a constant of few types, and neither can say a range, a
 * nested mapping or a default that one environment of a family has and another has not.
 *
 * @param <T> what its values are read as
 * @param name key in the YAML
 * @param type what values are allowed
 * @param defaultValue where the key is absent; null means none
 * @param description one sentence
 */
public record Option<T>(
    String name, OptionType<T> type, @Nullable T defaultValue, String description) {
  /**
   * An option.
   *
   * @throws IllegalArgumentException if the default is not what {@code type} is read as
   */
  public Option {
    if (defaultValue != null && !isRead(type, defaultValue)) {
      throw new IllegalArgumentException(
          "option " + name + ": the default " + defaultValue + " is no " + type);
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

  /** True or false. */
  public static Option<Boolean> flag(String name, String description) {
    return new Option<>(name, new OptionType.Flag(), null, description);
  }

  /** An integer. */
  public static Option<Integer> integer(String name, String description) {
    return integer(name, Integer.MIN_VALUE, Integer.MAX_VALUE, description);
  }

  /** An integer in {@code [least, most]}. */
  public static Option<Integer> integer(String name, int least, int most, String description) {
    return new Option<>(name, new OptionType.Int(least, most), null, description);
  }

  /** A finite number. */
  public static Option<Double> number(String name, String description) {
    return number(name, -Double.MAX_VALUE, Double.MAX_VALUE, description);
  }

  /** A number in {@code [least, most]}. */
  public static Option<Double> number(String name, double least, double most, String description) {
    return new Option<>(name, new OptionType.Real(least, most), null, description);
  }

  /** A finite number above 0. */
  public static Option<Double> positive(String name, String description) {
    return number(name, Double.MIN_NORMAL, Double.MAX_VALUE, description);
  }

  /** Any text. */
  public static Option<String> text(String name, String description) {
    return new Option<>(name, new OptionType.Text(List.of()), null, description);
  }

  /** One of some words. */
  public static Option<String> choice(String name, List<String> words, String description) {
    return new Option<>(name, new OptionType.Text(words), null, description);
  }

  /** A list of texts; a single text is a list of one. */
  public static Option<List<String>> texts(String name, String description) {
    return new Option<>(name, new OptionType.Texts(), null, description);
  }

  /** A list of anything, its elements read as text. */
  public static Option<List<String>> list(String name, String description) {
    return new Option<>(name, new OptionType.Elements(), null, description);
  }

  /** A mapping of anything, its keys and values read as text, in the order written. */
  public static Option<Map<String, String>> mapping(String name, String description) {
    return new Option<>(name, new OptionType.Mapping(), null, description);
  }

  /** A mapping of options of their own; empty where the key is absent. */
  public static Option<RawOptions> nested(String name, String description) {
    return new Option<>(name, new OptionType.Nested(), null, description);
  }

  /** This option with another default. */
  public Option<T> withDefault(T value) {
    return new Option<>(name, type, value, description);
  }

  /** This option with another description. */
  public Option<T> withDescription(String other) {
    return new Option<>(name, type, defaultValue, other);
  }
}
