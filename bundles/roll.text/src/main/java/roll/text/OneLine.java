package roll.text;

import java.io.PrintWriter;
import java.io.StringWriter;

/**
 * What a plugin says or throws, as a person can be shown it: plugins are written by others, and a
 * text of theirs may be endless, move the cursor of a terminal, or look like further lines of a
 * log.
 */
public final class OneLine {
  private static final int MOST = 1000;

  private OneLine() {}

  /**
   * {@code text} on one line: white space and control characters are spaces, half of a surrogate
   * pair is U+FFFD, what comes after the first thousand characters is left out.
   */
  public static String of(String text) {
    StringBuilder line = new StringBuilder();
    text.codePoints().limit(MOST + 1L).forEach(point -> line.appendCodePoint(shown(point)));
    String whole = line.toString().strip();
    return whole.codePointCount(0, whole.length()) > MOST
        ? whole.substring(0, whole.offsetByCodePoints(0, MOST)) + " …"
        : whole;
  }

  private static int shown(int point) {
    return switch (Character.getType(point)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          ' ';
      case Character.SURROGATE -> 0xFFFD;
      default -> point;
    };
  }

  /** Class and message of {@code thrown}; its class alone where it does not give a message. */
  public static String of(Throwable thrown) {
    try {
      return of(thrown.toString());
    } catch (Throwable e) { // an exception of a plugin may itself throw
      return thrown.getClass().getName();
    }
  }

  /** The stack of {@code thrown} on many lines; its class alone where it cannot be printed. */
  public static String stack(Throwable thrown) {
    try {
      StringWriter stack = new StringWriter();
      thrown.printStackTrace(new PrintWriter(stack));
      return stack.toString().strip();
    } catch (Throwable e) {
      return thrown.getClass().getName();
    }
  }
}
