package roll.api.option;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The free-form part of a configuration that belongs to one plugin (an {@code env_config}, a {@code
 * strategy_config}), checked against the options the plugin declares: unknown keys and wrong types
 * are refused with one line, absent keys get their standard value.
 */
public final class Options {
  private final String where;
  private final Map<String, @Nullable Object> values;

  private Options(String where, Map<String, @Nullable Object> values) {
    this.where = where;
    this.values = values;
  }

  /**
   * Checks {@code given} (a YAML mapping) against {@code known}.
   *
   * @param where the mapping's place in the configuration, for messages
   * @throws UserException naming the first unknown key or wrong value
   */
  public static Options of(
      String where, Map<String, ? extends @Nullable Object> given, List<OptionInfo> known) {
    Map<String, OptionInfo> byName = new LinkedHashMap<>();
    known.forEach(option -> byName.put(option.name(), option));
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    known.forEach(option -> values.put(option.name(), option.standard()));
    given.forEach(
        (key, value) -> {
          OptionInfo option = byName.get(key);
          if (option == null) {
            throw new UserException(
                where
                    + ": unknown key '"
                    + key
                    + "' (allowed: "
                    + (byName.isEmpty() ? "none" : String.join(", ", byName.keySet()))
                    + ")"
                    + Suggestion.near(key, byName.keySet()));
          }
          if (value != null) {
            values.put(key, checked(where + "." + key, value, option.type()));
          }
        });
    return new Options(where, values);
  }

  private static Object checked(String where, Object value, OptionInfo.Type type) {
    boolean right =
        switch (type) {
          case BOOLEAN -> value instanceof Boolean;
          case INTEGER -> value instanceof Integer;
          case NUMBER -> value instanceof Number n && Double.isFinite(n.doubleValue());
          case TEXT -> value instanceof String;
          case LIST -> value instanceof List<?>;
          case TEXTS ->
              value instanceof String
                  || (value instanceof List<?> list
                      && list.stream().allMatch(String.class::isInstance));
          case MAPPING -> value instanceof Map<?, ?>;
        };
    if (!right) {
      throw new UserException(
          where
              + ": expected "
              + type.name().toLowerCase(java.util.Locale.ROOT)
              + ", found '"
              + shown(where, value)
              + "'");
    }
    return value;
  }

  /** The place of these options in the configuration, for messages. */
  public String where() {
    return where;
  }

  /** Whether a value, given or standard, exists for {@code name}. */
  public boolean has(String name) {
    return values.get(name) != null;
  }

  /** The value of a BOOLEAN option. */
  public boolean flag(String name) {
    return (Boolean) value(name);
  }

  /**
   * The value of an INTEGER option.
   *
   * @throws UserException if it lies outside {@code [least, most]}
   */
  public int integer(String name, int least, int most) {
    int number = (Integer) value(name);
    if (number < least || number > most) {
      throw wrong(name, "a whole number from " + least + " to " + most);
    }
    return number;
  }

  /**
   * The value of a NUMBER option.
   *
   * @throws UserException if it lies outside {@code [least, most]}
   */
  public double number(String name, double least, double most) {
    double number = ((Number) value(name)).doubleValue();
    if (number < least || number > most) {
      throw wrong(name, "a number from " + least + " to " + most);
    }
    return number;
  }

  /** The value of a TEXT option. */
  public String text(String name) {
    return (String) value(name);
  }

  /**
   * The value of a TEXT option that is one of some words.
   *
   * @throws UserException if it is none of {@code words}
   */
  public String word(String name, String... words) {
    String text = text(name);
    if (!List.of(words).contains(text)) {
      throw new UserException(
          wrong(name, "one of " + String.join(", ", words)).getMessage()
              + Suggestion.near(text, List.of(words)));
    }
    return text;
  }

  /** The elements of a LIST or TEXTS option as text. */
  public List<String> texts(String name) {
    List<String> texts = new ArrayList<>();
    Object given = value(name);
    for (Object element : given instanceof List<?> list ? list : List.of(given)) {
      texts.add(String.valueOf(element));
    }
    return List.copyOf(texts);
  }

  /** The entries of a MAPPING option as text, in the order written. */
  public Map<String, String> mapping(String name) {
    Map<String, String> texts = new LinkedHashMap<>();
    ((Map<?, ?>) value(name)).forEach((k, v) -> texts.put(String.valueOf(k), String.valueOf(v)));
    return texts;
  }

  /**
   * A MAPPING option as options of their own that are checked as {@link #of} does; without it all
   * have their standard values.
   *
   * @throws UserException naming the first unknown key or wrong value
   */
  public Options part(String name, List<OptionInfo> known) {
    Map<String, @Nullable Object> given = new LinkedHashMap<>();
    if (has(name)) {
      ((Map<?, ?>) value(name)).forEach((k, v) -> given.put(String.valueOf(k), v));
    }
    return of(where + "." + name, given, known);
  }

  /**
   * The entries of a MAPPING option, each a mapping of its own that is checked as {@link #of} does,
   * in the order written.
   *
   * @throws UserException naming the first entry that is no mapping, unknown key or wrong value
   */
  public Map<String, Options> parts(String name, List<OptionInfo> known) {
    Map<String, Options> parts = new LinkedHashMap<>();
    ((Map<?, ?>) value(name))
        .forEach(
            (key, part) -> {
              String place = where + "." + name + "." + key;
              Object checked =
                  checked(place, part == null ? "null" : part, OptionInfo.Type.MAPPING);
              Map<String, @Nullable Object> given = new LinkedHashMap<>();
              ((Map<?, ?>) checked).forEach((k, v) -> given.put(String.valueOf(k), v));
              parts.put(String.valueOf(key), of(place, given, known));
            });
    return parts;
  }

  /** The complaint that option {@code name} has a value that is not {@code allowed}. */
  public UserException wrong(String name, String allowed) {
    return new UserException(
        where
            + "."
            + name
            + ": expected "
            + allowed
            + ", found '"
            + shown(name, values.get(name))
            + "'");
  }

  /** The value as messages show it: not at all if it is a secret. */
  private static String shown(String key, @Nullable Object value) {
    return Secrets.is(key) ? "…" : String.valueOf(value);
  }

  private Object value(String name) {
    if (!values.containsKey(name)) {
      throw new IllegalArgumentException("option '" + name + "' is not declared");
    }
    Object value = values.get(name);
    if (value == null) {
      throw new UserException(where + "." + name + " is required");
    }
    return value;
  }
}
