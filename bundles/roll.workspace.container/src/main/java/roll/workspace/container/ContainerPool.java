package roll.workspace.container;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import roll.api.option.UserException;
import roll.api.workspace.Workspace;
import roll.api.workspace.WorkspaceLimits;
import roll.api.workspace.WorkspacePool;
import roll.api.workspace.WorkspaceTemplate;

/** A pool that starts a container for each workspace. */
final class ContainerPool implements WorkspacePool {
  private final Engine engine;
  private final EngineOptions options;
  private final List<String> words;
  private final Semaphore free;
  private final Set<Container> running = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  /** Creates a pool of {@code size} workspaces. */
  ContainerPool(Engine engine, EngineOptions options, WorkspaceLimits limits, int size) {
    this.engine = engine;
    this.options = options;
    words = new ArrayList<>(Container.options(limits));
    words.addAll(options.words());
    free = new Semaphore(size, true);
  }

  @Override
  public Workspace take(WorkspaceTemplate template) throws InterruptedException {
    Path folder = template.folder();
    if (folder != null && !Files.isDirectory(folder)) {
      throw new UserException("the template of a workspace is missing: " + folder);
    }
    free.acquire();
    boolean taken = false;
    try {
      Workspace workspace = start(template);
      taken = true;
      return workspace;
    } catch (IOException e) {
      throw new UserException("the workspace 'container' cannot be made: " + e.getMessage());
    } finally {
      if (!taken) {
        free.release();
      }
    }
  }

  private Workspace start(WorkspaceTemplate template) throws IOException, InterruptedException {
    Container container =
        Container.start(
            engine,
            "roll-" + UUID.randomUUID(),
            words,
            Objects.requireNonNullElse(template.image(), options.image()),
            Objects.requireNonNullElse(template.directory(), ""));
    running.add(container);
    boolean started = false;
    try {
      if (closed) {
        throw new IllegalStateException("the pool is closed");
      }
      Path folder = template.folder();
      if (folder != null) {
        container.copy(folder.toAbsolutePath(), container.directory());
      }
      FileList beginning = FileList.of(container);
      started = true;
      return new ContainerWorkspace(container, beginning, () -> ended(container));
    } finally {
      if (!started) {
        running.remove(container);
        container.close();
      }
    }
  }

  private void ended(Container container) {
    running.remove(container);
    free.release();
  }

  @Override
  public void close() {
    closed = true;
    running.forEach(Container::close);
    running.clear();
  }
}
