package roll.grader.math_verify.extract;

import roll.grader.math_verify.compare.AnswerParser;
import roll.grader.math_verify.compare.FormulaException;
import roll.grader.math_verify.compare.Term;

/**
 * A candidate answer in a text.
 *
 * @param end index after its last character
 * @param content its text without the enclosing environment
 */
public record CandidateAnswer(int start, int end, String content, Kind kind) {
  /** The notation of a candidate answer. */
  public enum Kind {
    /** Notation of a candidate answer: LaTeX. */
    LATEX,
    /**
     * Notation of a candidate answer: a box of LaTeX, which is the answer even if it cannot be
     * parsed.
     */
    BOX,
    /** Notation of a candidate answer: a plain number, or an expression that begins with one. */
    PLAIN,
    /** Notation of a candidate answer: text, such as the letter of a choice. */
    STRING
  }

  /** Parses the candidate answer as a term. */
  public Term read() throws FormulaException {
    return switch (kind) {
      case LATEX, BOX -> AnswerParser.read(content);
      case PLAIN -> AnswerParser.read(PlainNumbers.latex(content));
      case STRING -> new Term.Words(AnswerParser.words(content));
    };
  }
}
