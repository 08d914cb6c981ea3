package roll.config.schema;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The allowed values of a key; null is never passed. */
public sealed interface ValueType {
  /** Whether this type allows {@code value}. */
  boolean accepts(Object value);

  /** Describes the values that this type allows. */
  String allowed();

  /** Value type of a key: true or false. */
  record Flag() implements ValueType {
    @Override
    public boolean accepts(Object value) {
      return value instanceof Boolean;
    }

    @Override
    public String allowed() {
      return "true or false";
    }
  }

  /** A number from {@code low}, or above it, to {@code high}. */
  record Numeric(boolean whole, double low, double high, boolean aboveLow) implements ValueType {
    @Override
    public boolean accepts(Object value) {
      boolean right =
          value instanceof Integer
              || value instanceof Long
              || (!whole && value instanceof Double number && Double.isFinite(number));
      if (!right) {
        return false;
      }
      double number = ((Number) value).doubleValue();
      return (aboveLow ? number > low : number >= low) && number <= high;
    }

    @Override
    public String allowed() {
      String kind = whole ? "an integer" : "a number";
      String from =
          low == Double.NEGATIVE_INFINITY
              ? ""
              : (aboveLow ? " above " : high < Integer.MAX_VALUE ? " from " : " of at least ")
                  + spelled(low);
      return kind
          + from
          + (high >= Integer.MAX_VALUE ? "" : (aboveLow ? " up to " : " to ") + spelled(high));
    }

    private static String spelled(double number) {
      return number == Math.rint(number) ? String.valueOf((long) number) : String.valueOf(number);
    }
  }

  /** Value type of a key: text. */
  record Text() implements ValueType {
    @Override
    public boolean accepts(Object value) {
      return value instanceof String;
    }

    @Override
    public String allowed() {
      return "text";
    }
  }

  /**
   * Value type of a key: one of a list of words.
   *
   * @param words supported words; empty if services decide
   * @param later words whose feature does not exist yet
   */
  record Word(List<String> words, List<String> later) implements ValueType {
    @Override
    public boolean accepts(Object value) {
      return value instanceof String word && (words.isEmpty() || words.contains(word));
    }

    @Override
    public String allowed() {
      return words.isEmpty() ? "a name" : "one of " + String.join(", ", words);
    }
  }

  /** Value type of a key: a list whose elements are {@code element}. */
  record Listing(ValueType element, String allowed) implements ValueType {
    @Override
    public boolean accepts(Object value) {
      return value instanceof List<?> list
          && list.stream().allMatch(e -> e != null && element.accepts(e));
    }
  }

  /** Value type of a key: a mapping with values of any type. */
  record Mapping() implements ValueType {
    @Override
    public boolean accepts(Object value) {
      return value instanceof Map<?, ?>;
    }

    @Override
    public String allowed() {
      return "a mapping";
    }
  }

  /** A mapping with the keys of a section of the schema, or a mapping of names to such mappings. */
  record Sub(String section, boolean named) implements ValueType {
    @Override
    public boolean accepts(Object value) {
      return value instanceof Map<?, ?>;
    }

    @Override
    public String allowed() {
      return "a mapping";
    }
  }

  /** Value type of a key: any value. */
  record Any() implements ValueType {
    @Override
    public boolean accepts(Object value) {
      return true;
    }

    @Override
    public String allowed() {
      return "anything";
    }
  }

  /** Value type of a key: a value that one of {@code options} allows. */
  record Either(List<ValueType> options) implements ValueType {
    @Override
    public boolean accepts(Object value) {
      return options.stream().anyMatch(option -> option.accepts(value));
    }

    @Override
    public String allowed() {
      return options.stream().map(ValueType::allowed).collect(Collectors.joining(" or "));
    }
  }

  /** Parses a value type as {@code .keys} files write it. */
  static ValueType parse(String text) {
    if (text.contains(" or ")) {
      return new Either(Arrays.stream(text.split(" or ")).map(ValueType::parse).toList());
    }
    List<String> words = new ArrayList<>(List.of(text.split(" ")));
    String kind = words.removeFirst();
    return switch (kind) {
      case "boolean" -> new Flag();
      case "integer", "number" -> numeric(kind.equals("integer"), words);
      case "text" -> new Text();
      case "texts" -> new Listing(new Text(), "a list of texts");
      case "integers" ->
          new Listing(numeric(true, List.of("1..1000000")), "a list of integers of at least 1");
      case "ids" -> new Listing(numeric(true, List.of("0..")), "a list of integers of at least 0");
      case "list" -> new Listing(new Any(), "a list");
      case "mapping" -> new Mapping();
      case "any" -> new Any();
      case "section", "sections" -> new Sub(words.getFirst(), kind.equals("sections"));
      case "word", "name" ->
          new Word(
              words.stream().filter(word -> !word.startsWith("!")).toList(),
              words.stream()
                  .filter(word -> word.startsWith("!"))
                  .map(w -> w.substring(1))
                  .toList());
      default -> throw new IllegalArgumentException("unknown type '" + text + "'");
    };
  }

  private static ValueType numeric(boolean whole, List<String> range) {
    double most = whole ? Integer.MAX_VALUE : Double.POSITIVE_INFINITY;
    if (range.isEmpty()) {
      return new Numeric(whole, whole ? Integer.MIN_VALUE : Double.NEGATIVE_INFINITY, most, false);
    }
    Matcher bounds = Pattern.compile("(\\(?)(-?[0-9.]+?)\\.\\.(.*)").matcher(range.getFirst());
    if (!bounds.matches()) {
      throw new IllegalArgumentException("unknown range '" + range + "'");
    }
    return new Numeric(
        whole,
        Double.parseDouble(bounds.group(2)),
        bounds.group(3).isEmpty() ? most : Double.parseDouble(bounds.group(3)),
        !bounds.group(1).isEmpty());
  }
}
