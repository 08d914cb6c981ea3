package roll.workspace.local;

import static roll.workspace.local.WorkspaceChannel.bytes;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import roll.api.workspace.Workspace;

/**
 * The workspaces of one server: each is made before it is taken, is taken once, and then replaced.
 */
final class WarmPool implements AutoCloseable {
  private final PoolServer server;
  private final TemplateCache templates;
  private final int size;
  private final Queue<WorkspaceChannel> warm = new ArrayDeque<>();

  /** Makes {@code size} workspaces of {@code server}. */
  WarmPool(PoolServer server, int size) throws IOException {
    this.server = server;
    this.size = size;
    templates = new TemplateCache(server);
    for (int i = 0; i < size; i++) {
      refill();
    }
  }

  /** Returns whether it can make workspaces. */
  boolean lives() {
    return server.lives();
  }

  private synchronized void refill() throws IOException {
    if (warm.size() < size) {
      warm.add(server.prepare());
    }
  }

  private synchronized WorkspaceChannel next() throws IOException {
    WorkspaceChannel next = warm.poll();
    return next == null ? server.prepare() : next;
  }

  /**
   * Returns a workspace with a copy of {@code folder}.
   *
   * @param ended called when the workspace is closed
   */
  Workspace take(@Nullable Path folder, String directory, Runnable ended) throws IOException {
    int number = folder == null ? 0 : templates.use(folder);
    WorkspaceChannel channel = null;
    try {
      channel = next();
      channel.answer();
      channel.send("take", bytes(number), bytes(directory));
      String place = WorkspaceChannel.text(channel.answer().getFirst());
      return new LocalWorkspace(channel, place, () -> release(folder, ended));
    } catch (IOException e) {
      if (channel != null) {
        channel.close();
      }
      release(folder, () -> {});
      throw e;
    }
  }

  private void release(@Nullable Path folder, Runnable ended) {
    try {
      if (folder != null) {
        templates.release(folder);
      }
      refill();
    } catch (IOException e) {
      // the server has ended: its files are deleted with it, and the next workspace has another
    } finally {
      ended.run();
    }
  }

  /** Ends the server with all its workspaces. */
  @Override
  public void close() {
    synchronized (this) {
      warm.forEach(WorkspaceChannel::close);
      warm.clear();
    }
    server.close();
  }
}
