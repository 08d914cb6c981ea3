package roll.template.jinja.value;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;

/** Converts values to text, with Python's rules for characters. */
public final class Text {
  private static final int LONGEST = 10_000_000;

  private Text() {}

  /**
   * Allows a text or list of {@code length}.
   *
   * @throws TemplateException if it is longer than any conversation
   */
  public static void allow(long length) {
    if (length > LONGEST) {
      throw new TemplateException("a text or list would be longer than " + LONGEST);
    }
  }

  /** Returns {@code text} repeated {@code times} times. */
  public static String repeated(String text, int times) {
    allow((long) text.length() * times);
    return text.repeat(times);
  }

  /** Whether the value is a text, marked as safe or not. */
  public static boolean is(Object value) {
    return value instanceof String || value instanceof Markup;
  }

  /** Returns the value as printed, like Python's {@code str()}. */
  public static String of(Object value) {
    return switch (value) {
      case String text -> text;
      case Markup marked -> marked.text();
      case Undefined undefined -> "";
      default -> repr(value);
    };
  }

  /** Returns the value as written within a list, like Python's {@code repr()}. */
  static String repr(Object value) {
    return switch (value) {
      case None none -> "None";
      case Boolean truth -> truth ? "True" : "False";
      case Double number -> Numbers.text(number);
      case String text -> quote(text);
      case Markup marked -> "Markup(" + quote(marked.text()) + ")";
      case List<?> list -> join(list, "[", "]");
      case Tuple tuple -> join(tuple.items(), "(", tuple.items().size() == 1 ? ",)" : ")");
      case Dict dict -> dict(dict);
      case Dict.View view -> view.name() + "(" + join(Types.list(view), "[", "]") + ")";
      case Namespace namespace -> "<Namespace " + dict(namespace.attributes()) + ">";
      case Undefined undefined -> "Undefined";
      case PythonGenerator lazy -> "<generator>";
      default -> value.toString();
    };
  }

  private static String join(List<?> items, String before, String after) {
    return items.stream().map(Text::repr).collect(Collectors.joining(", ", before, after));
  }

  private static String dict(Dict dict) {
    return dict.entrySet().stream()
        .map(e -> repr(e.getKey()) + ": " + repr(e.getValue()))
        .collect(Collectors.joining(", ", "{", "}"));
  }

  /** Returns the text in single quotes, or in double quotes if only these need no escape. */
  private static String quote(String text) {
    char mark = text.contains("'") && !text.contains("\"") ? '"' : '\'';
    StringBuilder quoted = new StringBuilder().append(mark);
    text.codePoints().forEach(c -> quoted.append(c == mark ? "\\" + mark : escape(c)));
    return quoted.append(mark).toString();
  }

  private static String escape(int c) {
    return switch (c) {
      case '\\' -> "\\\\";
      case '\n' -> "\\n";
      case '\r' -> "\\r";
      case '\t' -> "\\t";
      default -> {
        if (isPrintable(c)) {
          yield Character.toString(c);
        }
        yield c < 0x100
            ? "\\x%02x".formatted(c)
            : c < 0x10000 ? "\\u%04x".formatted(c) : "\\U%08x".formatted(c);
      }
    };
  }

  /** Whether Python prints the character as it is. */
  static boolean isPrintable(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      case Character.SPACE_SEPARATOR -> c == ' ';
      default -> true;
    };
  }

  /** Whether Python treats the character as white space. */
  public static boolean isSpace(int c) {
    return Character.isWhitespace(c) || Character.isSpaceChar(c) || c == 0x85;
  }

  /** Removes the characters of {@code which} from the start of a text. */
  static String stripLeft(String text, IntPredicate which) {
    int at = 0;
    while (at < text.length() && which.test(text.codePointAt(at))) {
      at += Character.charCount(text.codePointAt(at));
    }
    return text.substring(at);
  }

  /** Removes the characters of {@code which} from the end of a text. */
  public static String stripRight(String text, IntPredicate which) {
    int at = text.length();
    while (at > 0 && which.test(text.codePointBefore(at))) {
      at -= Character.charCount(text.codePointBefore(at));
    }
    return text.substring(0, at);
  }

  /** Splits a text into lines without their ends, like Python's {@code splitlines}. */
  public static List<String> lines(String text, boolean keepEnds) {
    List<String> lines = new ArrayList<>();
    int start = 0;
    for (int i = 0; i < text.length(); i++) {
      if ("\n\r\u000b\f\u001c\u001d\u001e\u0085\u2028\u2029".indexOf(text.charAt(i)) >= 0) {
        int end = text.startsWith("\r\n", i) ? i + 2 : i + 1;
        lines.add(text.substring(start, keepEnds ? end : i));
        start = end;
        i = end - 1;
      }
    }
    if (start < text.length()) {
      lines.add(text.substring(start));
    }
    return lines;
  }
}
