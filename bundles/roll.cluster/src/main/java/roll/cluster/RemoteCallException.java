package roll.cluster;

/** The node that was asked answered with a failure; the message says which, in its words. */
public sealed class RemoteCallException extends RuntimeException permits UnansweredException {
  private static final long serialVersionUID = 1L;

  /** {@code member} failed with {@code message}. */
  public RemoteCallException(Member member, String message) {
    super("node " + member + ": " + message);
  }
}
