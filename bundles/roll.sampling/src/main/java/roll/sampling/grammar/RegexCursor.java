package roll.sampling.grammar;

import roll.api.option.UserException;

/** A place in a regular expression. */
final class RegexCursor {
  private final String what;
  private final String pattern;
  private int at;

  /**
   * Creates the cursor at the first character.
   *
   * @param what names the expression in refusals
   */
  RegexCursor(String what, String pattern) {
    this.what = what;
    this.pattern = pattern;
  }

  /** Returns the refusal of the expression at this place. */
  UserException refused(String problem) {
    return new UserException("%s: at character %d: %s".formatted(what, at + 1, problem));
  }

  /** Returns whether there are more characters. */
  boolean more() {
    return at < pattern.length();
  }

  /** Returns whether {@code text} is next. */
  boolean sees(String text) {
    return pattern.startsWith(text, at);
  }

  /** Skips {@code text} if it is next, and returns whether it was. */
  boolean next(String text) {
    boolean found = sees(text);
    at += found ? text.length() : 0;
    return found;
  }

  /** Returns the next character without skipping it; there must be one. */
  int peek() {
    return pattern.codePointAt(at);
  }

  /** Skips the next character. */
  void skip() {
    at += Character.charCount(peek());
  }

  /** Skips and returns {@code count} characters, fewer at the end. */
  String take(int count) {
    String taken = pattern.substring(at, Math.min(pattern.length(), at + count));
    at += taken.length();
    return taken;
  }
}
