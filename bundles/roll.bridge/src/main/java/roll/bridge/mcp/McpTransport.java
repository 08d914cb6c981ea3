package roll.bridge.mcp;

import com.google.gson.JsonObject;
import java.time.Duration;
import java.util.concurrent.Future;
import roll.bridge.PeerException;

/** A way to a server that takes and gives messages of JSON-RPC, from many threads at once. */
interface McpTransport extends AutoCloseable {
  /** The server, for messages. */
  String shown();

  /** What the server agreed to speak; told before anything but the first request is sent. */
  void agreed(String version);

  /**
   * Sends {@code message}: what answers it, where it is a request. It fails with a {@link
   * PeerException} where nothing will.
   *
   * @param patience how long the server may take nothing
   */
  Future<JsonObject> send(JsonObject message, Duration patience);

  /** Ends the way because of {@code why}, such as {@code has not answered}: the failure of it. */
  PeerException end(String why);

  @Override
  void close();
}
