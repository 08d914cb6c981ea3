package roll.bridge;

import java.io.IOException;

/** A server answered where a WebSocket was asked for, and opened none. */
final class HandshakeRefusedException extends IOException {
  private static final long serialVersionUID = 1L;
  private static final int BAD_GATEWAY = 502;
  private static final int GATEWAY_TIMEOUT = 504;

  private final int status;

  /** An answer with {@code status}. */
  HandshakeRefusedException(int status) {
    super("it answered with status " + status);
    this.status = status;
  }

  /** Whether it may answer otherwise in a while: what a proxy says while the server starts. */
  boolean passes() {
    return status >= BAD_GATEWAY && status <= GATEWAY_TIMEOUT;
  }
}
