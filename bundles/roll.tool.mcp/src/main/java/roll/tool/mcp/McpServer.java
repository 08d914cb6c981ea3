package roll.tool.mcp;

import io.modelcontextprotocol.client.McpAsyncClient;
import io.modelcontextprotocol.spec.McpSchema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import roll.api.tool.ToolResult;
import roll.text.OneLine;

/**
 * A server as long as somebody may use it: linked when it is first needed, and again after it has
 * gone. Any number of threads may call its tools at once.
 */
final class McpServer implements AutoCloseable {
  private static final int MOST_PAGES = 100;
  private static final int MOST_TOOLS = 1000;

  private final ServerInfo info;
  private @Nullable Link link;
  private List<McpSchema.Tool> tools = List.of();
  private boolean closed;

  /** The server at {@code info}, not linked yet. */
  McpServer(ServerInfo info) {
    this.info = info;
  }

  /** Where it is. */
  ServerInfo info() {
    return info;
  }

  /**
   * Its tools as it listed them when it was linked.
   *
   * @throws IOException if it cannot be linked
   */
  synchronized List<McpSchema.Tool> tools() throws IOException, InterruptedException {
    link();
    return tools;
  }

  private synchronized Link link() throws IOException, InterruptedException {
    if (closed) {
      throw new IOException("it is no longer used");
    }
    if (link == null) {
      Link opened = Link.open(info);
      try {
        tools = list(opened);
      } catch (IOException | InterruptedException | RuntimeException e) {
        opened.close();
        throw e;
      }
      link = opened;
    }
    return link;
  }

  private static List<McpSchema.Tool> list(Link link) throws IOException, InterruptedException {
    List<McpSchema.Tool> all = new ArrayList<>();
    try {
      String cursor = "";
      for (int pages = 0; cursor != null; pages++) {
        String from = cursor;
        McpSchema.ListToolsResult page =
            link.ask(client -> from.isEmpty() ? client.listTools(null) : client.listTools(from));
        add(page, all);
        cursor = "".equals(page.nextCursor()) ? null : page.nextCursor();
        if (pages == MOST_PAGES || all.size() > MOST_TOOLS) {
          throw new IOException(
              "its list of tools has more than %d pages or %d tools"
                  .formatted(MOST_PAGES, MOST_TOOLS));
        }
      }
      return List.copyOf(all);
    } catch (ExecutionException e) {
      throw new IOException(Link.why(e.getCause()), e);
    } catch (TimeoutException | RuntimeException e) { // whatever the SDK makes of it
      throw new IOException(Link.why(e), e);
    }
  }

  private static void add(McpSchema.ListToolsResult page, List<McpSchema.Tool> all)
      throws IOException {
    if (page.tools() == null) {
      throw new IOException("its list of tools is none");
    }
    for (McpSchema.Tool tool : page.tools()) {
      if (tool == null || tool.name() == null || tool.name().isBlank()) {
        throw new IOException("it lists a tool without a name");
      }
      all.add(tool);
    }
  }

  /** What the tool {@code name} answers; that the server has gone is an answer too. */
  ToolResult call(String name, Map<String, Object> arguments) throws InterruptedException {
    long start = System.nanoTime();
    Link used = null;
    try {
      used = link();
      Link linked = used;
      McpSchema.CallToolResult result = linked.ask(client -> called(client, name, arguments));
      String text = ResultContents.text(result, linked::json);
      return Boolean.TRUE.equals(result.isError()) ? ToolResult.error(text) : ToolResult.of(text);
    } catch (ExecutionException e) {
      return ToolResult.error("Error: " + Link.why(e.getCause()));
    } catch (RuntimeException e) { // an answer that is not one
      return ToolResult.error("Error: " + info.shown() + ": " + OneLine.of(e));
    } catch (TimeoutException e) {
      // a slow call does not end a link over which others are answered
      if (used != null && !used.heardSince(start)) {
        drop(used);
      }
      return ToolResult.error("Error: " + info.shown() + ": " + e.getMessage());
    } catch (IOException e) {
      drop(used);
      return ToolResult.error("Error: " + info.shown() + ": " + e.getMessage());
    }
  }

  private static Mono<McpSchema.CallToolResult> called(
      McpAsyncClient client, String name, Map<String, Object> arguments) {
    return client.callTool(new McpSchema.CallToolRequest(name, arguments));
  }

  /** Ends a link that failed, so that the next call makes a new one. */
  private void drop(@Nullable Link failed) {
    synchronized (this) {
      if (failed == null || link != failed) {
        return;
      }
      link = null;
    }
    failed.close();
  }

  @Override
  public void close() {
    Link last;
    synchronized (this) {
      closed = true;
      last = link;
      link = null;
    }
    if (last != null) {
      last.close();
    }
  }
}
