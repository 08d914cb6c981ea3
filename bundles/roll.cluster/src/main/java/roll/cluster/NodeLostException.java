package roll.cluster;

/** A call failed because the node that was asked is no member any more. */
public final class NodeLostException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Member member;

  /** {@code member} did not answer; {@code why} continues the sentence that begins with it. */
  public NodeLostException(Member member, String why) {
    super("node " + member + " " + why);
    this.member = member;
  }

  /** Who was asked. */
  public Member member() {
    return member;
  }
}
