package roll.env.remote.mcp;

import com.google.gson.JsonObject;
import java.time.Duration;

/** A way to a server that takes and gives messages of JSON-RPC. Used by one thread at a time. */
interface McpWire extends AutoCloseable {
  /** The server, for messages. */
  String shown();

  /**
   * The message that answers {@code request}.
   *
   * @throws roll.bridge.PeerException if none comes within {@code patience}
   */
  JsonObject ask(JsonObject request, Duration patience);

  /** Sends {@code notification}, which nobody answers. */
  void tell(JsonObject notification, Duration patience);

  /** What the server agreed to speak; told before anything but the first request is sent. */
  default void agreed(String version) {}

  @Override
  void close();
}
