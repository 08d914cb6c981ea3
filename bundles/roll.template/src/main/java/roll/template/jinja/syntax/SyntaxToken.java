package roll.template.jinja.syntax;

/**
 * A piece of a template.
 *
 * @param kind what it is
 * @param text its text; of a string the text it stands for
 * @param line where it begins, from 1
 */
record SyntaxToken(Kind kind, String text, int line) {
  /** Kinds of tokens. */
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

  /** As an error message shows it. */
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
