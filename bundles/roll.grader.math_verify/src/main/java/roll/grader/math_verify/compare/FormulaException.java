package roll.grader.math_verify.compare;

/** Thrown if a text is not a known formula; without a stack trace, since it is common. */
public final class FormulaException extends Exception {
  private static final long serialVersionUID = 1;

  /** Creates the exception with the unexpected text and its position. */
  FormulaException(String message) {
    super(message, null, false, false);
  }
}
