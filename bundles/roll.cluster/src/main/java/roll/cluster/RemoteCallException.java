package roll.cluster;

/** The called node answered with a failure, whose message this exception contains. */
public sealed class RemoteCallException extends RuntimeException permits NoHandlerException {
  private static final long serialVersionUID = 1L;

  /** Creates the exception: the call to {@code member} failed with {@code message}. */
  public RemoteCallException(Member member, String message) {
    super("node " + member + ": " + message);
  }
}
