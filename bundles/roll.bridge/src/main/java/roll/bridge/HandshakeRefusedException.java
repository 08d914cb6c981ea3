package roll.bridge;

import java.io.IOException;

/** A server answered a WebSocket handshake without opening a WebSocket. */
final class HandshakeRefusedException extends IOException {
  private static final long serialVersionUID = 1L;
  private static final int BAD_GATEWAY = 502;
  private static final int GATEWAY_TIMEOUT = 504;

  private final int status;

  /** Creates the exception for an answer with the HTTP status {@code status}. */
  HandshakeRefusedException(int status) {
    super("it answered with status " + status);
    this.status = status;
  }

  /** Whether the status may be temporary, such as that of a proxy while the server starts. */
  boolean passes() {
    return status >= BAD_GATEWAY && status <= GATEWAY_TIMEOUT;
  }
}
