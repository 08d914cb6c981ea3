package roll.shell.notation;

import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Adds quotes to a shell line where Gogo would misread it: around values with brackets or stars in
 * commands of roll, such as {@code device_mapping=list(range(0,8))} and {@code track_with=[console,
 * wandb]}, which Gogo takes for lists and file patterns; and, in any command, around apostrophes
 * inside double quotes, for which Gogo expects a closing one.
 */
final class LineNotation {
  private static final Pattern KEY = Pattern.compile("[+~]{0,2}[\\w.@/\\[\\]-]+=");

  /** Gogo's substitutions: variables and command output. */
  private static final Pattern FILLED = Pattern.compile("\\$\\{\\w+\\}|\\$\\([^()]*\\)");

  private static final Pattern PLAIN = Pattern.compile("[\\w./,:=+-]");
  private static final String OPENING = "([{";
  private static final String CLOSING = ")]}";
  private static final String SPECIAL = OPENING + CLOSING + "*?";

  /** Characters that separate words in a shell line. */
  private static final String BETWEEN = " \t\r\n;|&<>";

  private final String line;

  private LineNotation(String line) {
    this.line = line;
  }

  /**
   * Returns {@code line} with quotes added, or unchanged if a quote or bracket is not closed.
   *
   * @param ours whether a command belongs to the scope {@code roll}
   */
  static String quoted(String line, Predicate<String> ours) {
    return new LineNotation(line).quoted(ours);
  }

  private String quoted(Predicate<String> ours) {
    StringBuilder quoted = new StringBuilder();
    boolean first = true; // word of a command
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

  /** Returns the end of the word at {@code start}; negative if a quote or bracket is open. */
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

  /** Returns the end of the character, escape or quoted text at {@code at}, or −1 if open. */
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

  /** Returns whether {@code word} sets a key to a value that Gogo would misread. */
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

  /** Returns {@code word} with special characters escaped; existing escapes are kept. */
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
