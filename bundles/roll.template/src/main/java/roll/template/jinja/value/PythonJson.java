package roll.template.jinja.value;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Writes values as Python's {@code json.dumps} does.
 *
 * @param ascii whether characters beyond ASCII are escaped
 * @param indent what a level is indented by; null writes one line
 * @param item between the items of a list or dict
 * @param key between a key and its value
 * @param sorted whether keys are sorted
 */
public record PythonJson(
    boolean ascii, @Nullable String indent, String item, String key, boolean sorted) {
  /** Implements the filter {@code tojson} as transformers defines it. */
  public static Object filter(Object[] values) {
    String indent =
        switch (values[2]) {
          case None none -> null;
          case String text -> text;
          default -> Text.repeated(" ", Math.max(0, Numbers.index(values[2])));
        };
    String item = indent == null ? ", " : ",";
    String key = ": ";
    if (!(values[3] instanceof None)) {
      List<Object> separators = Types.list(values[3]);
      item = Text.of(separators.get(0));
      key = Text.of(separators.get(1));
    }
    boolean ascii = Types.truth(values[1]);
    return new PythonJson(ascii, indent, item, key, Types.truth(values[4])).write(values[0], "\n");
  }

  private String write(Object value, String line) {
    return switch (value) {
      case None none -> "null";
      case Boolean truth -> truth.toString();
      case Double number -> real(number);
      case String text -> quote(text);
      case Markup marked -> quote(marked.text());
      case List<?> list -> items(list, line);
      case Tuple tuple -> items(tuple.items(), line);
      case Dict dict -> members(dict, line);
      default -> {
        if (!Numbers.isInteger(value)) {
          throw new TemplateException(
              "Object of type " + Types.name(value) + " is not JSON serializable");
        }
        yield value.toString();
      }
    };
  }

  private static String real(double number) {
    return Double.isFinite(number)
        ? Numbers.text(number)
        : Double.isNaN(number) ? "NaN" : number > 0 ? "Infinity" : "-Infinity";
  }

  private String items(List<?> list, String line) {
    List<String> parts = new ArrayList<>();
    for (Object value : list) {
      parts.add(write(value, line + indentOrNothing()));
    }
    return enclose("[", parts, "]", line);
  }

  private String members(Dict dict, String line) {
    List<Object> keys = new ArrayList<>(dict.keySet());
    if (sorted) {
      keys.sort((a, b) -> Types.compare(a, b, "<"));
    }
    List<String> parts = new ArrayList<>();
    for (Object name : keys) {
      String value = write(Objects.requireNonNull(dict.get(name)), line + indentOrNothing());
      parts.add(quote(name(name)) + key + value);
    }
    return enclose("{", parts, "}", line);
  }

  private String name(Object key) {
    return switch (key) {
      case String text -> text;
      case Markup marked -> marked.text();
      case None none -> "null";
      case Object number when Numbers.isNumber(number) -> write(number, "");
      default ->
          throw new TemplateException(
              "keys must be str, int, float, bool or None, not " + Types.name(key));
    };
  }

  private String indentOrNothing() {
    return indent == null ? "" : indent;
  }

  private String enclose(String open, List<String> parts, String close, String line) {
    if (parts.isEmpty() || indent == null) {
      return open + String.join(item, parts) + close;
    }
    return open + line + indent + String.join(item + line + indent, parts) + line + close;
  }

  private String quote(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"' -> quoted.append("\\\"");
        case '\\' -> quoted.append("\\\\");
        case '\n' -> quoted.append("\\n");
        case '\r' -> quoted.append("\\r");
        case '\t' -> quoted.append("\\t");
        case '\f' -> quoted.append("\\f");
        case '\b' -> quoted.append("\\b");
        default -> {
          if (c < ' ' || (ascii && c > '~')) {
            quoted.append("\\u%04x".formatted((int) c));
          } else {
            quoted.append(c);
          }
        }
      }
    }
    return quoted.append('"').toString();
  }
}
