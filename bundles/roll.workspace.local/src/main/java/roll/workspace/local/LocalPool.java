package roll.workspace.local;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.api.workspace.Workspace;
import roll.api.workspace.WorkspaceLimits;
import roll.api.workspace.WorkspacePool;
import roll.api.workspace.WorkspaceTemplate;

/** A pool over a server, which is replaced if it was killed. */
final class LocalPool implements WorkspacePool {
  private static final int WARM = 8;
  private static final int ATTEMPTS = 3;
  private final LaunchOptions launch;
  private final WorkspaceLimits limits;
  private final int size;
  private final Semaphore free;
  private @Nullable WarmPool current;
  private boolean closed;

  /**
   * Starts the server of a pool of {@code size} workspaces.
   *
   * @throws UserException if it cannot be started, or this machine lacks the isolation
   */
  LocalPool(LaunchOptions launch, WorkspaceLimits limits, int size) {
    this.launch = launch;
    this.limits = limits;
    this.size = size;
    free = new Semaphore(size, true);
    try {
      current();
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private static UserException failed(IOException e) {
    return new UserException("the workspace 'local' cannot be made: " + e.getMessage());
  }

  private synchronized WarmPool current() throws IOException {
    if (closed) {
      throw new IllegalStateException("the pool is closed");
    }
    WarmPool pool = current;
    if (pool == null || !pool.lives()) {
      if (pool != null) {
        pool.close();
      }
      PoolServer server = PoolServer.start(launch, limits);
      pool = new WarmPool(server, Math.min(size, WARM));
      current = pool;
    }
    return pool;
  }

  @Override
  public Workspace take(WorkspaceTemplate template) throws InterruptedException {
    if (template.image() != null) {
      throw new UserException(
          "the workspace 'local' has no images, as the template's '" + template.image() + "'");
    }
    Path folder = template.folder() == null ? null : template.folder().toAbsolutePath().normalize();
    if (folder != null && !Files.isDirectory(folder)) {
      throw new UserException("the template of a workspace is missing: " + folder);
    }
    String directory = Objects.requireNonNullElse(template.directory(), "");
    free.acquire();
    boolean taken = false;
    try {
      Workspace workspace = take(folder, directory);
      taken = true;
      return workspace;
    } finally {
      if (!taken) {
        free.release();
      }
    }
  }

  /** Takes a workspace, from another server if the first was killed meanwhile. */
  private Workspace take(@Nullable Path folder, String directory) throws InterruptedException {
    for (int attempt = 1; ; attempt++) {
      try {
        return current().take(folder, directory, free::release);
      } catch (ClosedByInterruptException e) {
        Thread.interrupted();
        throw new InterruptedException("no workspace was taken");
      } catch (WorkspaceChannel.RefusedException e) {
        throw failed(e);
      } catch (IOException e) {
        if (attempt == ATTEMPTS) {
          throw failed(e);
        }
      }
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (current != null) {
      current.close();
      current = null;
    }
  }
}
