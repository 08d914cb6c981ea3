package roll.bridge.mcp;

import com.google.gson.JsonObject;
import java.time.Duration;
import java.util.concurrent.Future;
import roll.bridge.PeerException;

/** Transport of JSON-RPC messages to and from a server. Thread-safe. */
interface McpTransport extends AutoCloseable {
  /** Name of the server for messages. */
  String shown();

  /** Sets the negotiated protocol version, after the first request. */
  void agreed(String version);

  /**
   * Sends {@code message}; the result is the answer to a request. It fails with a {@link
   * PeerException} if there will be none.
   *
   * @param patience timeout of sending
   */
  Future<JsonObject> send(JsonObject message, Duration patience);

  /**
   * Ends the transport because of {@code why}, such as {@code has not answered}; returns the
   * failure.
   */
  PeerException end(String why);

  @Override
  void close();
}
