package roll.cluster;

/** The node that was asked answered with a failure; the message says which, in its words. */
public final class RemoteCallException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** {@code member} failed with {@code message}. */
  public RemoteCallException(Member member, String message) {
    super("node " + member + ": " + message);
  }
}
