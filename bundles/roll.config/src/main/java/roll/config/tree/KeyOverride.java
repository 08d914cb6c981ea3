package roll.config.tree;

import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.runtime.option.Secrets;

/**
 * An override in Hydra's syntax: {@code key.path=value} and {@code ++key.path=value} set a key,
 * {@code +key.path=value} adds a new one, {@code ~key.path} deletes one, and {@code
 * ~key.path=value} deletes it if it has this value.
 *
 * @param kind the operation
 * @param keys the path of the key
 * @param value YAML; null only for a deletion without a value
 * @param where the argument for messages, without secrets
 */
record KeyOverride(Kind kind, List<String> keys, @Nullable String value, String where) {
  /** Most characters of an argument that a message repeats. */
  static final int SHOWN = 200;

  private static final Pattern QUOTES = Pattern.compile("[\"']");
  private static final Pattern ESCAPED =
      Pattern.compile("[^\\s,:{}\\[\\]\\\\]*+(?:\\\\[{}\\[\\],:=][^\\s,:{}\\[\\]\\\\]*+)++");

  /** Operation of a configuration override. */
  enum Kind {
    SET,
    ADD,
    DELETE
  }

  /**
   * Parses a command-line argument as an override.
   *
   * @throws UserException if it has neither an equals sign nor a tilde, or its path is too long
   */
  static KeyOverride of(String argument) {
    int equals = argument.indexOf('=');
    String left = equals < 0 ? argument : argument.substring(0, equals);
    Kind kind =
        left.startsWith("~")
            ? Kind.DELETE
            : left.startsWith("+") && !left.startsWith("++") ? Kind.ADD : Kind.SET;
    int prefix = left.startsWith("++") ? 2 : kind == Kind.SET ? 0 : 1;
    String path = left.substring(prefix).strip();
    String shown =
        equals > 0 && Secrets.is(path)
            ? YamlTree.clipped(left, SHOWN) + "=…"
            : YamlTree.clipped(argument, SHOWN);
    String where = "override '" + shown + "'";
    if (path.isEmpty()
        || "+~".indexOf(path.charAt(0)) >= 0
        || (equals < 0 && kind != Kind.DELETE)) {
      throw new UserException(
          where + ": expected key.path=value (or +key.path=value, ++key.path=value, ~key.path)");
    }
    List<String> keys = YamlTree.keys(path);
    if (keys.stream().anyMatch(key -> key.length() > ConfigSizeLimits.KEY)) {
      throw new UserException(
          where + ": a key of more than " + ConfigSizeLimits.KEY + " characters");
    }
    if (keys.size() > ConfigSizeLimits.PATH) {
      throw new UserException(where + ": at most " + ConfigSizeLimits.PATH + " keys in a path");
    }
    return new KeyOverride(kind, keys, equals < 0 ? null : argument.substring(equals + 1), where);
  }

  /**
   * Parses the value of the override as YAML. A quoted text of several lines keeps its lines as in
   * Hydra, with \" or \' for a quote; YAML would fold them into one.
   */
  @Nullable Object read() {
    String written = Objects.requireNonNull(value);
    String lines = written.indexOf('\n') < 0 ? null : quoted(written.strip());
    return lines == null ? YamlReader.value(where, unescaped(written)) : lines;
  }

  /**
   * Quotes the words of a list or mapping in which Hydra escapes signs of its own: {@code \{*\}}.
   */
  private static String unescaped(String written) {
    boolean nested = written.startsWith("{") || written.startsWith("[");
    return nested && written.indexOf('\\') > 0 && !QUOTES.matcher(written).find()
        ? ESCAPED
            .matcher(written)
            .replaceAll(
                word -> Matcher.quoteReplacement('"' + word.group().replace("\\", "") + '"'))
        : written;
  }

  /** Returns the content of the quotes around {@code text}; null if it is not quoted. */
  private static @Nullable String quoted(String text) {
    char quote = text.isEmpty() ? ' ' : text.charAt(0);
    if (quote != '"' && quote != '\'') {
      return null;
    }
    StringBuilder inside = new StringBuilder();
    for (int i = 1; i < text.length(); i++) {
      char letter = text.charAt(i);
      if (letter == quote) {
        return i == text.length() - 1 ? inside.toString() : null;
      }
      if (letter == '\\' && i + 1 < text.length() && text.charAt(i + 1) == quote) {
        letter = quote;
        i++;
      }
      inside.append(letter);
    }
    return null;
  }
}
