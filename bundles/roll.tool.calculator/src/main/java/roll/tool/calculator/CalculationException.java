package roll.tool.calculator;

/** Thrown if an expression cannot be calculated, with one line for the model. */
final class CalculationException extends Exception {
  private static final long serialVersionUID = 1;

  /** Creates a refusal with the problem. */
  CalculationException(String message) {
    super(message, null, false, false);
  }
}
