package roll.grader.math_verify.compare;

/**
 * A piece of a formula.
 *
 * @param text the digits, the letter, the command without its backslash, the sign, or the words
 */
record LatexToken(Type type, String text) {
  /** Kinds of pieces. */
  enum Type {
    /** Digits with or without a decimal point. */
    NUMBER,
    /** One letter. */
    LETTER,
    /** A command, or a function written without its backslash. */
    COMMAND,
    /** One character that is not one of those; braces that are printed keep their backslash. */
    SIGN,
    /** What is in \text{…}. */
    WORDS,
    /** After the last one. */
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
