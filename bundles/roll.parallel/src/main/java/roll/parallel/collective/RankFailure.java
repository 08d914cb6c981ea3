package roll.parallel.collective;

/** A rank was released because another one failed, is gone, or did not come in time. */
public final class RankFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Because of {@code cause}, what another rank failed of. */
  public RankFailure(Throwable cause) {
    super("another rank failed: " + cause.getMessage(), cause);
  }

  /** Because of what {@code message} says in one line. */
  public RankFailure(String message) {
    super(message);
  }

  /** Because of what {@code message} says in one line, found by {@code cause}. */
  public RankFailure(String message, Throwable cause) {
    super(message, cause);
  }

  /** What a rank throws that waits while {@code cause} ends the group. */
  public static RankFailure of(Throwable cause) {
    return cause instanceof RankFailure failure
        ? new RankFailure(String.valueOf(failure.getMessage()), failure)
        : new RankFailure(cause);
  }
}
