package roll.cluster.transfer;

import java.io.IOException;

/** What was asked for is refused: on the node that serves as on the one that asked. */
final class RefusedException extends IOException {
  /** Why, as a byte of an answer; 0 is an answer that is no refusal. */
  enum Reason {
    GIVEN,
    /** There is no such version, or not yet, or the chunk is not there. */
    NONE,
    /** Whoever asked is of an older epoch. */
    STALE,
    /** Another run, another protocol, another name, or too many connections. */
    STRANGER
  }

  private static final long serialVersionUID = 1L;

  private final Reason reason;

  RefusedException(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  Reason reason() {
    return reason;
  }
}
