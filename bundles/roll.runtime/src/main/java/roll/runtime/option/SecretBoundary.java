package roll.runtime.option;

/**
 * Finds the ends of addresses, tokens and other parts of {@code text} that may be secrets.
 *
 * @param text to search
 */
record SecretBoundary(String text) {
  /** Most that is looked at for a short thing. */
  private static final int SHORT = 96;

  /** Whether {@code c} is a blank or one of {@code marks}. */
  static boolean isOneOf(char c, String marks) {
    return Character.isWhitespace(c) || marks.indexOf(c) >= 0;
  }

  /**
   * The end of what is in quotes; that of the line where they are not closed.
   *
   * @param mark that opened it: a quote, behind backslashes where the whole is in quotes itself
   */
  int closing(int from, String mark) {
    int slashes = mark.length() - 1;
    int run = 0;
    for (int i = from; i < text.length() && text.charAt(i) != '\n'; i++) {
      char c = text.charAt(i);
      boolean doubled = c == '\'' && text.startsWith("''", i) && i > from;
      if (c == mark.charAt(slashes) && !doubled && (slashes == 0 ? run % 2 == 0 : run == slashes)) {
        return i - slashes;
      }
      run = c == '\\' ? run + 1 : 0;
      i += doubled ? 1 : 0;
    }
    return line(from);
  }

  /** The end of a list or mapping; that of the line where it is not closed there. */
  int brackets(int from) {
    int depth = 0;
    for (int i = from; i < text.length() && text.charAt(i) != '\n'; i++) {
      char c = text.charAt(i);
      depth += "[{".indexOf(c) >= 0 ? 1 : "]}".indexOf(c) >= 0 ? -1 : 0;
      if (depth == 0) {
        return i + 1;
      }
    }
    return line(from);
  }

  /** Returns the end of the current line. */
  private int line(int from) {
    int end = text.indexOf('\n', from);
    return end < 0 ? text.length() : end;
  }

  /** The end of a word; the name of a variable is one letter of it. */
  int word(int from, String marks) {
    int i = from;
    while (i < text.length() && !isOneOf(text.charAt(i), marks)) {
      int close = text.startsWith("${", i) ? text.indexOf('}', i, limit(i)) : -1;
      i = close < 0 ? i + 1 : close + 1;
    }
    return i;
  }

  /** Returns the end of the longest text that could still be a short value. */
  int limit(int from) {
    return Math.min(text.length(), from + SHORT);
  }
}
