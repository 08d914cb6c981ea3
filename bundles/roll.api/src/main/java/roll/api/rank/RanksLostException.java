package roll.api.rank;

/**
 * Some ranks of a model in training are gone, with the state that only they had: the session is
 * over. One that is opened anew goes on from a checkpoint. The message is one line.
 */
public final class RanksLostException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Because of what {@code message} says, found by {@code cause}. */
  public RanksLostException(String message, Throwable cause) {
    super(message, cause);
  }
}
