package roll.cluster;

/**
 * End of a membership.
 *
 * @param kind reason category
 * @param why one line that names this node
 */
public record MembershipEnd(Kind kind, String why) {
  /** Reason for the end of a membership. */
  public enum Kind {
    /** Membership end kind: this node left. */
    CLOSED,
    /** The first node left in order: the run is over. */
    FIRST_LEFT,
    /** Membership end kind: this node was removed, or the first node was lost: it may rejoin. */
    CUT_OFF
  }
}
