package roll.cluster.services;

/** Thrown when the implementation on another node was reached and failed. */
public final class RemoteFailureException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Creates the exception with one line on what the implementation threw. */
  public RemoteFailureException(String why) {
    super(why);
  }
}
