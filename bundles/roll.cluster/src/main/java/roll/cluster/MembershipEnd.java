package roll.cluster;

/**
 * How a membership ended.
 *
 * @param kind what happened
 * @param why one line that names this node
 */
public record MembershipEnd(Kind kind, String why) {
  /** What ends a membership. */
  public enum Kind {
    /** This node left. */
    CLOSED,
    /** The first node left in order: there is nothing to do any more. */
    FIRST_LEFT,
    /** This node was cut off, given up, or the first node was lost: it may join anew. */
    CUT_OFF
  }
}
