package roll.runtime.option;

import static java.util.stream.Collectors.joining;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.option.OptionType;
import roll.api.option.UserException;
import roll.text.Suggestion;

/** Converts YAML values to the types of options. */
public final class OptionValue {
  private OptionValue() {}

  /**
   * Converts {@code value} to the option type {@code type}.
   *
   * @param where path of the value, for messages
   * @throws UserException if it is of another type, out of range or not one of the allowed words
   */
  @SuppressWarnings("unchecked") // each type's T is what its case gives
  public static <T> T read(String where, Object value, OptionType<T> type) {
    Object read =
        switch (type) {
          case OptionType.Flag _ when value instanceof Boolean flag -> flag;
          case OptionType.Int whole when value instanceof Integer number ->
              within(where, number, whole);
          case OptionType.Real decimal
              when value instanceof Number number && Double.isFinite(number.doubleValue()) ->
              within(where, number, decimal);
          case OptionType.Text text when value instanceof String word -> word(where, word, text);
          case OptionType.Texts _ when value instanceof String text -> List.of(text);
          case OptionType.Texts _
              when value instanceof List<?> list
                  && list.stream().allMatch(String.class::isInstance) ->
              list.stream().map(String::valueOf).toList();
          case OptionType.Elements _ when value instanceof List<?> list ->
              list.stream().map(String::valueOf).toList();
          case OptionType.Mapping _ when value instanceof Map<?, ?> map -> {
            Map<String, String> texts = new LinkedHashMap<>();
            map.forEach((k, v) -> texts.put(String.valueOf(k), String.valueOf(v)));
            yield texts;
          }
          case OptionType.Nested _ when value instanceof Map<?, ?> map -> {
            Map<String, @Nullable Object> values = new LinkedHashMap<>();
            map.forEach((k, v) -> values.put(String.valueOf(k), v));
            yield new YamlOptions(where, values);
          }
          default -> throw wrong(where, value, name(type));
        };
    return (T) read;
  }

  /** Returns the name of the option type {@code type}, for messages and tables. */
  public static String name(OptionType<?> type) {
    return switch (type) {
      case OptionType.Flag _ -> "boolean";
      case OptionType.Int _ -> "integer";
      case OptionType.Real _ -> "number";
      case OptionType.Text _ -> "text";
      case OptionType.Texts _ -> "texts";
      case OptionType.Elements _ -> "list";
      case OptionType.Mapping _, OptionType.Nested _ -> "mapping";
    };
  }

  /**
   * {@code value} as a person would write it: without an exponent or a decimal point that says
   * nothing.
   */
  public static String written(Object value) {
    return switch (value) {
      case Double number when number == 0 || Math.abs(Math.log10(Math.abs(number))) < 15 ->
          BigDecimal.valueOf(number).stripTrailingZeros().toPlainString();
      case List<?> list -> list.stream().map(String::valueOf).collect(joining(", ", "[", "]"));
      case Map<?, ?> map ->
          map.entrySet().stream()
              .map(entry -> entry.getKey() + ": " + entry.getValue())
              .collect(joining(", ", "{", "}"));
      default -> String.valueOf(value);
    };
  }

  /** Returns the values that {@code type} allows, such as {@code from 1 to 10}; empty for any. */
  public static String range(OptionType<?> type) {
    return switch (type) {
      case OptionType.Int(int least, int most)
          when least > Integer.MIN_VALUE || most < Integer.MAX_VALUE ->
          range(least, most, least > Integer.MIN_VALUE, most < Integer.MAX_VALUE);
      case OptionType.Real(double least, double most) when least == Double.MIN_NORMAL ->
          most < Double.MAX_VALUE ? "above 0, at most " + most : "above 0";
      case OptionType.Real(double least, double most)
          when least > -Double.MAX_VALUE || most < Double.MAX_VALUE ->
          range(least, most, least > -Double.MAX_VALUE, most < Double.MAX_VALUE);
      case OptionType.Text(List<String> words) when !words.isEmpty() ->
          "one of " + String.join(", ", words);
      default -> "";
    };
  }

  private static String range(Number least, Number most, boolean below, boolean above) {
    return below && above
        ? "from " + written(least) + " to " + written(most)
        : below ? "of at least " + written(least) : "of at most " + written(most);
  }

  private static int within(String where, int number, OptionType.Int whole) {
    if (number < whole.min() || number > whole.max()) {
      throw wrong(where, number, "an integer " + range(whole));
    }
    return number;
  }

  private static double within(String where, Number given, OptionType.Real decimal) {
    double number = given.doubleValue();
    if (number < decimal.min() || number > decimal.max()) {
      throw wrong(where, given, "a number " + range(decimal));
    }
    return number;
  }

  private static String word(String where, String word, OptionType.Text text) {
    if (!text.choices().isEmpty() && !text.choices().contains(word)) {
      throw new UserException(
          wrong(where, word, range(text)).getMessage() + Suggestion.near(word, text.choices()));
    }
    return word;
  }

  /** Returns the error that {@code value} is not {@code allowed}; a secret is not shown. */
  static UserException wrong(String where, @Nullable Object value, String allowed) {
    return new UserException(
        "%s: expected %s, found '%s'".formatted(where, allowed, Secrets.is(where) ? "…" : value));
  }
}
