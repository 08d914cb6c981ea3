package roll.cluster.transfer;

import java.io.IOException;

/** Thrown for a refused request, on the serving node and on the requesting one. */
final class TransferRefusedException extends IOException {
  /** Reason of a refused transfer: no such version or chunk, or not yet. */
  static final int NONE = 1;

  /** Reason of a refused transfer: another epoch. */
  static final int STALE = 2;

  /** Reason: another run, protocol or name, or too many connections. */
  static final int STRANGER = 3;

  private static final long serialVersionUID = 1L;

  private final int reason;

  TransferRefusedException(int reason, String message) {
    super(message);
    this.reason = reason;
  }

  /** Returns the reason, as a byte of the answer. */
  int reason() {
    return reason;
  }
}
