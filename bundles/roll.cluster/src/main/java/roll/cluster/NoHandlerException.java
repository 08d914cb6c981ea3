package roll.cluster;

/** The called node has no handler for the topic; it may register one later. */
public final class NoHandlerException extends RemoteCallException {
  private static final long serialVersionUID = 1L;

  /** No handler of {@code member} is registered for {@code topic}. */
  public NoHandlerException(Member member, String topic) {
    super(member, "no handler for topic " + topic);
  }
}
