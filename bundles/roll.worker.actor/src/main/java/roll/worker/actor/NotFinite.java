package roll.worker.actor;

/** Ends an optimizer step, before the optimizer, whose log-probs are not finite. */
final class NotFinite extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** What is not finite, a phrase. */
  NotFinite(String problem) {
    super(problem);
  }
}
