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

/** Settings on a command line: {@code key=value}. */
public final class KeyValues {
  private static final Gson GSON =
      new GsonBuilder().setObjectToNumberStrategy(ToNumberPolicy.LONG_OR_DOUBLE).create();

  private KeyValues() {}

  /**
   * The settings by name; a value is a truth value, a number, a list or mapping as JSON has them,
   * or else text.
   *
   * @param where the command, for messages
   * @param aliases other names of some keys
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
   * The settings of a plugin by name: likewise, but an option that is a text stays the text that
   * was written, also where it could be a number.
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

  /** The list or mapping that {@code text} is, or null if it is none. */
  private static @Nullable Object structure(String text) {
    try {
      return GSON.fromJson(text, Object.class);
    } catch (JsonParseException e) {
      return null;
    }
  }
}
