package roll.tool.calculator;

/** Thrown if an expression cannot be calculated, with one line for the model. */
final class Refused extends Exception {
  private static final long serialVersionUID = 1;

  /** Creates a refusal with the problem. */
  Refused(String message) {
    super(message, null, false, false);
  }
}
