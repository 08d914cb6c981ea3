package roll.worker.actor;

/** Ends an optimizer step, before the optimizer, whose log-probs are not finite. */
final class NonFiniteException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception; {@code problem} is a phrase that names the number that is not finite.
   */
  NonFiniteException(String problem) {
    super(problem);
  }
}
