package roll.template.jinja.syntax;

/**
 * A token of a template.
 *
 * @param kind kind of the token
 * @param text its text; of a string literal its value
 * @param line line of its beginning, from 1
 */
record SyntaxToken(Kind kind, String text, int line) {
  /** Kinds of tokens of a template. */
  enum Kind {
    DATA,
    VARIABLE_BEGIN,
    VARIABLE_END,
    BLOCK_BEGIN,
    BLOCK_END,
    NAME,
    STRING,
    INTEGER,
    FLOAT,
    OPERATOR,
    END
  }

  boolean is(Kind wanted, String wantedText) {
    return kind == wanted && text.equals(wantedText);
  }

  /** Returns the syntax token's representation in error messages. */
  String shown() {
    return switch (kind) {
      case END -> "end of template";
      case VARIABLE_END -> "end of print statement";
      case BLOCK_END -> "end of statement block";
      case DATA -> "text";
      default -> "'" + text + "'";
    };
  }
}
