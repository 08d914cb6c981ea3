package roll.tool.mcp;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonObject;
import com.google.gson.ToNumberPolicy;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.tool.ToolResult;
import roll.bridge.PeerConnections;
import roll.bridge.PeerException;
import roll.bridge.mcp.McpResult;
import roll.bridge.mcp.McpSession;

/**
 * A server as long as somebody may use it: a session begins when it is first needed, and again
 * after it has gone. Any number of threads may call its tools at once.
 */
final class McpServer implements AutoCloseable {
  /** Of arguments and schemas, whose numbers stay what they are. */
  static final Gson JSON =
      new GsonBuilder()
          .serializeNulls()
          .serializeSpecialFloatingPointValues()
          .setObjectToNumberStrategy(ToNumberPolicy.LONG_OR_DOUBLE)
          .create();

  private final McpServerConfig info;
  private final PeerConnections dialogues = new PeerConnections();
  private @Nullable McpSession session;
  private List<JsonObject> tools = List.of();
  private boolean closed;

  /** The server at {@code info}, not reached yet. */
  McpServer(McpServerConfig info) {
    this.info = info;
  }

  /** Where it is. */
  McpServerConfig info() {
    return info;
  }

  /**
   * Its tools as it listed them when the session began.
   *
   * @throws PeerException if none begins
   */
  synchronized List<JsonObject> tools() {
    McpSession _ = session();
    return tools;
  }

  private synchronized McpSession session() {
    if (closed) {
      throw PeerException.ended(info.place().shown() + " is no longer used");
    }
    McpSession running = session;
    if (running == null) {
      running = McpSession.open(info.place(), dialogues, info.timeout(), info.timeout());
      try {
        tools = running.tools();
      } catch (PeerException e) {
        running.close();
        throw e;
      }
      session = running;
    }
    return running;
  }

  /** What the tool {@code name} answers; that the server has gone is an answer too. */
  ToolResult call(String name, Map<String, Object> arguments) throws InterruptedException {
    McpSession used = null;
    try {
      used = session();
      McpResult result = used.call(name, JSON.toJsonTree(arguments).getAsJsonObject());
      String text = result.text(true);
      return result.refused() ? ToolResult.error(text) : ToolResult.of(text);
    } catch (PeerException e) {
      if (Thread.interrupted()) {
        throw new InterruptedException(e.getMessage());
      }
      if (!e.refused()) {
        drop(used);
      }
      return ToolResult.error("Error: " + info.shown() + ": " + info.why(e));
    }
  }

  /** Ends a session that failed, so that the next call begins a new one. */
  private void drop(@Nullable McpSession failed) {
    synchronized (this) {
      if (failed == null || session != failed) {
        return;
      }
      session = null;
    }
    failed.close();
  }

  @Override
  public void close() {
    McpSession last;
    synchronized (this) {
      closed = true;
      last = session;
      session = null;
    }
    if (last != null) {
      last.close();
    }
    dialogues.client().shutdown(); // once the goodbye is sent
  }
}
