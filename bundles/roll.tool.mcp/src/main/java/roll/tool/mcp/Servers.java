package roll.tool.mcp;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.plugin.Errand;

/**
 * The servers of one service, shared by all rollouts. One that nobody uses is kept for a while,
 * since every training step asks anew; all end when the service has gone and their last user too.
 */
final class Servers {
  private final Duration patience;
  private final Map<ServerInfo, Shared> servers = new LinkedHashMap<>();
  private boolean gone;

  /** A server, how many use it, and what ends it when none does. */
  private static final class Shared {
    private final McpServer server;
    private int users;
    private @Nullable Thread end;

    Shared(McpServer server) {
      this.server = server;
    }
  }

  /** No servers yet; one is kept for {@code patience} after its last user. */
  Servers(Duration patience) {
    this.patience = patience;
  }

  /** The server at {@code info}; who gets it calls {@link #release} once. */
  synchronized McpServer use(ServerInfo info) {
    Shared shared = servers.computeIfAbsent(info, key -> new Shared(new McpServer(key)));
    shared.users++;
    return shared.server;
  }

  /** Says that one user of {@code server} is done. */
  synchronized void release(McpServer server) {
    Shared shared = servers.get(server.info());
    if (shared == null || --shared.users > 0) {
      return;
    }
    Thread end = Thread.ofVirtual().name("roll.tool.mcp").start(new Errand(() -> endLater(shared)));
    shared.end = end;
    if (gone) {
      end.interrupt();
    }
  }

  private void endLater(Shared shared) {
    Thread me = Thread.currentThread();
    try {
      Thread.sleep(patience);
    } catch (InterruptedException e) {
      // at once, then
    }
    synchronized (this) {
      if (shared.users > 0 || shared.end != me) {
        return;
      }
      servers.remove(shared.server.info());
    }
    shared.server.close();
  }

  /** Ends the servers that nobody uses, and the others with their last users. */
  synchronized void close() {
    gone = true;
    for (Shared shared : servers.values()) {
      if (shared.users == 0 && shared.end != null) {
        shared.end.interrupt();
      }
    }
  }

  /** How many servers there are. */
  synchronized int size() {
    return servers.size();
  }
}
