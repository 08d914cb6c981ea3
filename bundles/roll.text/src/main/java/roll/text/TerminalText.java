package roll.text;

import java.util.regex.Pattern;

/**
 * Text that models, worlds and files hold, as a terminal can be given it: some characters move its
 * cursor, and marks of direction let what follows them be read as something else.
 */
public final class TerminalText {
  private static final String MARKS = "\\u061C\\u200E\\u200F\\u202A-\\u202E\\u2066-\\u2069";
  private static final Pattern MARK = Pattern.compile("[" + MARKS + "]");
  private static final Pattern MOVING =
      Pattern.compile("[" + MARKS + "\\u2028\\u2029[\\p{Cntrl}\\u0080-\\u009F&&[^\\n\\t]]]");

  private TerminalText() {}

  /** {@code text} with U+FFFD for marks of direction and for controls but line ends and tabs. */
  public static String visible(String text) {
    return MOVING.matcher(text).replaceAll("\uFFFD");
  }

  /** {@code text} with marks of direction as escapes, which in JSON mean the same. */
  public static String escaped(String text) {
    return MARK.matcher(text)
        .replaceAll(found -> "\\\\u%04x".formatted((int) found.group().charAt(0)));
  }
}
