package roll.grader.math_verify.extract;

import roll.grader.math_verify.compare.Reader;
import roll.grader.math_verify.compare.Term;
import roll.grader.math_verify.compare.Unreadable;

/**
 * A place in a text that may be the answer.
 *
 * @param end behind its last character
 * @param content what is there, without the environment around it
 */
public record Span(int start, int end, String content, Kind kind) {
  /** How it is read. */
  public enum Kind {
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
  public Term read() throws Unreadable {
    return switch (kind) {
      case LATEX, BOX -> Reader.read(content);
      case PLAIN -> Reader.read(Plain.latex(content));
      case STRING -> new Term.Words(Reader.words(content));
    };
  }
}
