package roll.api.rank;

/**
 * Ranks of a model in training were lost together with their state, so the session cannot continue.
 * A new session resumes from a checkpoint. The message is one line.
 */
public final class RanksLostException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Creates the exception with a one-line message and a cause. */
  public RanksLostException(String message, Throwable cause) {
    super(message, cause);
  }
}
