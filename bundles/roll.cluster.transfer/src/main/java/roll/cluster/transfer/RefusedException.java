package roll.cluster.transfer;

import java.io.IOException;

/** What was asked for is refused: on the node that serves as on the one that asked. */
final class RefusedException extends IOException {
  /** There is no such version, or not yet, or the chunk is not there. */
  static final int NONE = 1;

  /** Whoever asked is of another epoch. */
  static final int STALE = 2;

  /** Another run, another protocol, another name, or too many connections. */
  static final int STRANGER = 3;

  private static final long serialVersionUID = 1L;

  private final int reason;

  RefusedException(int reason, String message) {
    super(message);
    this.reason = reason;
  }

  /** The byte of an answer that says why. */
  int reason() {
    return reason;
  }
}
