package roll.tool.calculator;

/** Says why an expression is not calculated, in one line for the model to read. */
final class Refused extends Exception {
  private static final long serialVersionUID = 1;

  /** What is wrong. */
  Refused(String message) {
    super(message, null, false, false);
  }
}
