package roll.parallel.collective;

/**
 * Thrown by a rank that was released because another rank failed, disconnected, or did not join in
 * time.
 */
public final class RankFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Creates the failure of a rank released by {@code cause}, the failure of another rank. */
  public RankFailure(Throwable cause) {
    super("another rank failed: " + cause.getMessage(), cause);
  }

  /** Creates a failure with a one-line message. */
  public RankFailure(String message) {
    super(message);
  }

  /** Creates a failure with a one-line message and a cause. */
  public RankFailure(String message, Throwable cause) {
    super(message, cause);
  }

  /** Returns the exception of a waiting rank whose group is aborted by {@code cause}. */
  public static RankFailure of(Throwable cause) {
    return cause instanceof RankFailure failure
        ? new RankFailure(String.valueOf(failure.getMessage()), failure)
        : new RankFailure(cause);
  }
}
