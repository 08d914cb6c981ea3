package roll.text;

import java.io.PrintWriter;
import java.io.StringWriter;

/**
 * Sanitizes texts and exceptions of plugins for display: an untrusted text may be endless, move the
 * cursor of a terminal, or imitate further lines of a log.
 */
public final class OneLine {
  private static final int MOST = 1000;

  private OneLine() {}

  /**
   * Returns {@code text} on one line: line breaks and control characters become spaces, unpaired
   * surrogates U+FFFD, and text after 1,000 characters is dropped.
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

  /** Returns class and message of {@code thrown}; the class alone if its methods throw. */
  public static String of(Throwable thrown) {
    try {
      return of(thrown.toString());
    } catch (Throwable e) { // an exception of a plugin may itself throw
      return thrown.getClass().getName();
    }
  }

  /** Returns the stack trace of {@code thrown}; its class alone if it cannot be printed. */
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
