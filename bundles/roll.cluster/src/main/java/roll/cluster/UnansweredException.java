package roll.cluster;

/** The node that was asked has nobody who answers calls of the topic; it may have later. */
public final class UnansweredException extends RemoteCallException {
  private static final long serialVersionUID = 1L;

  /** Nobody on {@code member} answers {@code topic}. */
  public UnansweredException(Member member, String topic) {
    super(member, "nobody there answers " + topic);
  }
}
