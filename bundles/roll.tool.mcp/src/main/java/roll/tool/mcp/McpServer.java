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
 * Connection to an MCP server whose tools the model may call. A session is opened on first use, and
 * again after it has ended. Thread-safe.
 */
final class McpServer implements AutoCloseable {
  /** JSON of arguments and schemas, which keeps integers. */
  static final Gson JSON =
      new GsonBuilder()
          .serializeNulls()
          .serializeSpecialFloatingPointValues()
          .setObjectToNumberStrategy(ToNumberPolicy.LONG_OR_DOUBLE)
          .create();

  private final McpServerConfig info;
  private final PeerConnections connections = new PeerConnections();
  private @Nullable McpSession session;
  private List<JsonObject> tools = List.of();
  private boolean closed;

  /** Creates a server without connecting. */
  McpServer(McpServerConfig info) {
    this.info = info;
  }

  /** Configuration of the MCP server. */
  McpServerConfig info() {
    return info;
  }

  /**
   * Returns the tools that the session listed at its start.
   *
   * @throws PeerException if no session can be opened
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
      running = McpSession.open(info.place(), connections, info.timeout(), info.timeout());
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

  /** Calls the tool {@code name}; a failure of the server is a result too. */
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

  /** Closes a failed session, so that the next call opens a new one. */
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
    connections.client().shutdown(); // after the request that ends the session
  }
}
