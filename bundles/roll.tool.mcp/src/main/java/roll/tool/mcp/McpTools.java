package roll.tool.mcp;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import roll.api.tool.ToolResult;
import roll.api.tool.ToolSchema;
import roll.api.tool.ToolSession;
import roll.api.tool.ToolSet;
import roll.bridge.SharedResources;

/** Tools of several servers for one rollout. */
final class McpTools implements ToolSet {
  private final SharedResources<McpServerConfig, McpServer> servers;
  private final List<McpServer> used;
  private final Map<String, Offer> offers;
  private final AtomicBoolean closed = new AtomicBoolean();

  /**
   * A tool of an MCP server with its schema for the model.
   *
   * @param name name at its server
   */
  record Offer(McpServer server, String name, ToolSchema schema) {}

  /**
   * Creates a set of tools by their names for the model.
   *
   * @param used servers to release when this is closed
   */
  McpTools(
      SharedResources<McpServerConfig, McpServer> servers,
      List<McpServer> used,
      Map<String, Offer> offers) {
    this.servers = servers;
    this.used = List.copyOf(used);
    this.offers = new LinkedHashMap<>(offers);
  }

  @Override
  public List<ToolSchema> tools() {
    return offers.values().stream().map(Offer::schema).toList();
  }

  /** Returns a session; all episodes share the session with the server. */
  @Override
  public ToolSession open(long seed) {
    return (tool, arguments) -> {
      Offer offer = offers.get(tool);
      return offer == null
          ? ToolResult.error("Error: no tool " + tool)
          : offer.server().call(offer.name(), arguments);
    };
  }

  @Override
  public void close() {
    if (!closed.getAndSet(true)) {
      used.forEach(server -> servers.release(server.info()));
    }
  }
}
