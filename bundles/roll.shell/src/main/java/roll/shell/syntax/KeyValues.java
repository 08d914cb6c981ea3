package roll.shell.syntax;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonParseException;
import com.google.gson.ToNumberPolicy;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.option.Option;
import roll.api.option.OptionType;
import roll.api.option.UserException;

/** Parses settings of the form {@code key=value}. */
public final class KeyValues {
  private static final Gson GSON =
      new GsonBuilder().setObjectToNumberStrategy(ToNumberPolicy.LONG_OR_DOUBLE).create();

  private KeyValues() {}

  /**
   * Returns the {@code key=value} settings by key. A value is a boolean, a number, a JSON list or
   * mapping, or else text.
   *
   * @param where the command, for messages
   * @param aliases canonical name by alias
   * @throws UserException if a word has no key
   */
  public static Map<String, Object> of(
      String where, List<String> words, Map<String, String> aliases) {
    Map<String, Object> values = new LinkedHashMap<>();
    for (String word : words) {
      int equals = word.indexOf('=');
      if (equals < 1) {
        throw new UserException(where + ": expected key=value, found '" + word + "'");
      }
      String key = word.substring(0, equals);
      values.put(aliases.getOrDefault(key, key), value(word.substring(equals + 1)));
    }
    return values;
  }

  /**
   * Returns the settings of a plugin by name; the values of text options are not parsed, even if
   * they look like numbers.
   *
   * @throws UserException if a word has no key
   */
  public static Map<String, Object> of(String where, List<String> words, List<Option<?>> options) {
    Map<String, Object> values = of(where, words, Map.of());
    for (Option<?> option : options) {
      if (option.type() instanceof OptionType.Text) {
        String key = option.name() + "=";
        words.stream()
            .filter(word -> word.startsWith(key))
            .forEach(word -> values.put(option.name(), word.substring(key.length())));
      }
    }
    return values;
  }

  private static Object value(String text) {
    if (text.equals("true") || text.equals("false")) {
      return Boolean.valueOf(text);
    }
    if (text.startsWith("[") || text.startsWith("{")) {
      Object structure = structure(text);
      return structure == null ? text : structure;
    }
    try {
      return Integer.valueOf(text);
    } catch (NumberFormatException notWhole) {
      try {
        return Double.valueOf(text);
      } catch (NumberFormatException notANumber) {
        return text;
      }
    }
  }

  /** Returns {@code text} as list or mapping, or null if it is no JSON. */
  private static @Nullable Object structure(String text) {
    try {
      return GSON.fromJson(text, Object.class);
    } catch (JsonParseException e) {
      return null;
    }
  }
}
