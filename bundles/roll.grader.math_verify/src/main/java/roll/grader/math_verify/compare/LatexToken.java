package roll.grader.math_verify.compare;

/**
 * A token of a formula.
 *
 * @param text the digits, the letter, the command without its backslash, the sign, or the words
 */
record LatexToken(Type type, String text) {
  /** Types of tokens. */
  enum Type {
    /** Digits with or without a decimal point. */
    NUMBER,
    /** Type of a formula token: one letter. */
    LETTER,
    /** Type of a formula token: a command, or a function written without its backslash. */
    COMMAND,
    /** Type of a formula token: another single character; printed braces keep their backslash. */
    SIGN,
    /** LaTeX token type: the text of {@code \text}. */
    WORDS,
    /** LaTeX token type: the end of the formula. */
    END
  }

  static final LatexToken LAST = new LatexToken(Type.END, "");

  boolean sign(String expected) {
    return type == Type.SIGN && text.equals(expected);
  }

  boolean command(String expected) {
    return type == Type.COMMAND && text.equals(expected);
  }
}
