package roll.text;

import java.util.regex.Pattern;

/**
 * Sanitizes untrusted text for a terminal: control characters may move its cursor, and direction
 * marks may disguise text.
 */
public final class TerminalText {
  private static final String MARKS = "\\u061C\\u200E\\u200F\\u202A-\\u202E\\u2066-\\u2069";
  private static final Pattern MARK = Pattern.compile("[" + MARKS + "]");
  private static final Pattern MOVING =
      Pattern.compile("[" + MARKS + "\\u2028\\u2029[\\p{Cntrl}\\u0080-\\u009F&&[^\\n\\t]]]");

  private TerminalText() {}

  /**
   * Returns {@code text} with U+FFFD in place of direction marks and of control characters other
   * than line ends and tabs.
   */
  public static String visible(String text) {
    return MOVING.matcher(text).replaceAll("\uFFFD");
  }

  /** Returns {@code text} with direction marks as JSON escapes. */
  public static String escaped(String text) {
    return MARK.matcher(text)
        .replaceAll(found -> "\\\\u%04x".formatted((int) found.group().charAt(0)));
  }
}
