package roll.grader.math_verify;

/**
 * A place in a text that may be the answer.
 *
 * @param end behind its last character
 * @param content what stands there, without the environment around it
 */
record Span(int start, int end, String content, Kind kind) {
  /** How it is read. */
  enum Kind {
    /** As LaTeX. */
    LATEX,
    /** As LaTeX; it is the answer, whether or not it can be read. */
    BOX,
    /** As a plain number or an expression that begins with one. */
    PLAIN,
    /** As text, such as the letter of a choice. */
    STRING
  }

  /** What it says. */
  Term read() throws Unreadable {
    return switch (kind) {
      case LATEX, BOX -> Reader.read(content);
      case PLAIN -> Reader.read(Plain.latex(content));
      case STRING -> new Term.Words(Reader.words(content));
    };
  }
}
