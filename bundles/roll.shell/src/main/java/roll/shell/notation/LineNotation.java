package roll.shell.notation;

import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Quotes in a line of the shell what Gogo would read otherwise: of a command of ours the values of
 * keys with brackets or stars, such as {@code device_mapping=list(range(0,8))} and {@code
 * track_with=[console, wandb]}, which Gogo takes for lists and names of files; and of any command
 * apostrophes between double quotes, behind which Gogo looks for a second one.
 */
final class LineNotation {
  private static final Pattern KEY = Pattern.compile("[+~]{0,2}[\\w.@/\\[\\]-]+=");

  /** What Gogo fills in: its variables, and what a command prints. */
  private static final Pattern FILLED = Pattern.compile("\\$\\{\\w+\\}|\\$\\([^()]*\\)");

  private static final Pattern PLAIN = Pattern.compile("[\\w./,:=+-]");
  private static final String OPENING = "([{";
  private static final String CLOSING = ")]}";
  private static final String SPECIAL = OPENING + CLOSING + "*?";

  /** What stands between words. */
  private static final String BETWEEN = " \t\r\n;|&<>";

  private final String line;

  private LineNotation(String line) {
    this.line = line;
  }

  /**
   * {@code line} as Gogo reads it rightly; itself where a quote or a bracket is not closed.
   *
   * @param ours whether a command is one of ours
   */
  static String quoted(String line, Predicate<String> ours) {
    return new LineNotation(line).quoted(ours);
  }

  private String quoted(Predicate<String> ours) {
    StringBuilder quoted = new StringBuilder();
    boolean first = true; // of a command
    boolean known = false;
    for (int at = 0; at < line.length(); ) {
      char c = line.charAt(at);
      if (BETWEEN.indexOf(c) >= 0) {
        first |= ";|&".indexOf(c) >= 0;
        quoted.append(c);
        at++;
        continue;
      }
      int end = end(at);
      if (end < 0) {
        return line;
      }
      String word = line.substring(at, end);
      if (first) {
        known = ours.test(word);
        first = false;
      }
      quoted.append(known && special(word) ? escaped(word) : apostrophes(word));
      at = end;
    }
    return quoted.toString();
  }

  /** Where the word that begins at {@code start} ends; negative where something is not closed. */
  private int end(int start) {
    int depth = 0;
    int at = start;
    while (at < line.length() && (depth > 0 || BETWEEN.indexOf(line.charAt(at)) < 0)) {
      char c = line.charAt(at);
      depth += OPENING.indexOf(c) >= 0 ? 1 : CLOSING.indexOf(c) >= 0 ? -1 : 0;
      at = next(line, at);
      if (at < 0) {
        return at;
      }
    }
    return depth > 0 ? -1 : at;
  }

  /** The position after the character, escape or quoted text at {@code at}, or a negative one. */
  private static int next(String text, int at) {
    char c = text.charAt(at);
    if (c == '\\') {
      return Math.min(at + 2, text.length());
    }
    if (c != '\'' && c != '"') {
      return at + 1;
    }
    for (int i = at + 1; i < text.length(); i++) {
      if (text.charAt(i) == c) {
        return i + 1;
      }
      if (c == '"' && text.charAt(i) == '\\') {
        i++;
      }
    }
    return -1;
  }

  /** Whether {@code word} sets a key, and Gogo would not take its value as it stands. */
  private static boolean special(String word) {
    if (!KEY.matcher(word).lookingAt()) {
      return false;
    }
    Matcher filled = FILLED.matcher(word);
    for (int at = 0; at < word.length(); ) {
      if (filled.region(at, word.length()).lookingAt()) {
        at = filled.end();
      } else if (SPECIAL.indexOf(word.charAt(at)) >= 0) {
        return true;
      } else {
        at = next(word, at);
      }
    }
    return false;
  }

  /** What is escaped already stays so. */
  private static String escaped(String word) {
    StringBuilder escaped = new StringBuilder();
    for (int at = 0; at < word.length(); at++) {
      char c = word.charAt(at);
      if (c == '\\' && at + 1 < word.length()) {
        escaped.append(c).append(word.charAt(++at));
      } else {
        escaped.append(PLAIN.matcher(String.valueOf(c)).matches() ? "" : "\\").append(c);
      }
    }
    return escaped.toString();
  }

  private static String apostrophes(String word) {
    StringBuilder quoted = new StringBuilder();
    for (int at = 0; at < word.length(); ) {
      int end = next(word, at);
      String part = word.substring(at, end);
      quoted.append(part.startsWith("\"") ? part.replace("'", "\"\\'\"") : part);
      at = end;
    }
    return quoted.toString();
  }
}
