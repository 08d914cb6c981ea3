package roll.cluster;

/** A call failed because the called node is no longer a member. */
public final class NodeLostException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Member member;

  /** Creates the exception; {@code why} continues a sentence that begins with {@code member}. */
  public NodeLostException(Member member, String why) {
    super("node " + member + " " + why);
    this.member = member;
  }

  /** The member that was called and lost. */
  public Member member() {
    return member;
  }
}
