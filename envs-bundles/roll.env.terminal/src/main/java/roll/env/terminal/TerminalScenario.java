package roll.env.terminal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import roll.api.env.Episode;
import roll.api.env.EpisodeStart;
import roll.api.env.Scenario;
import roll.api.env.TaskInfo;
import roll.api.option.Options;
import roll.api.option.UserException;
import roll.api.plugin.Lease;
import roll.api.plugin.Plugins;
import roll.api.tool.ToolSchema;
import roll.api.workspace.Workspace;
import roll.api.workspace.WorkspacePool;
import roll.api.workspace.WorkspaceProvider;
import roll.api.workspace.WorkspaceTemplate;
import roll.env.terminal.task.TerminalTask;

/** Tasks and the workspaces of their episodes. */
final class TerminalScenario implements Scenario {
  /**
   * Workspaces at a time, more than a rollout has episodes: one that waited for another would wait
   * forever where a batch of responses needs a request of every episode.
   */
  private static final int WORKSPACES = 1 << 16;

  /** Commands at a time per processor; more of them would only exceed their time limits. */
  private static final int COMMANDS = 8;

  private final String instruction;
  private final TaskSource tasks;
  private final WorkspaceTools.CallLimits calls;
  private final Duration verifierTime;
  private final Lease<WorkspaceProvider> provider;
  private final WorkspacePool pool;
  private final Path folder;
  private final Map<Path, WorkspaceTemplate> templates = new ConcurrentHashMap<>();
  private final AtomicInteger starts = new AtomicInteger();
  private final Semaphore slots =
      new Semaphore(COMMANDS * Runtime.getRuntime().availableProcessors(), true);

  private TerminalScenario(
      Options options,
      TaskSource tasks,
      Lease<WorkspaceProvider> provider,
      WorkspacePool pool,
      Path folder) {
    this.instruction = options.get(TerminalOptions.INSTRUCTION);
    this.tasks = tasks;
    this.calls = TerminalOptions.calls(options);
    this.verifierTime = TerminalOptions.verifierTime(options);
    this.provider = provider;
    this.pool = pool;
    this.folder = folder;
  }

  /**
   * Reads the tasks and opens the pool of workspaces.
   *
   * @throws UserException if a task or the provider is missing or wrong
   */
  static TerminalScenario of(Options options, Plugins plugins) {
    Lease<WorkspaceProvider> provider = TerminalOptions.workspace(options).lease(plugins);
    Path folder = null;
    try {
      folder = Files.createTempDirectory("roll-terminal-");
      TaskSource tasks =
          TaskSource.of(options, folder.resolve("generated"), provider.service().images());
      WorkspacePool pool = provider.service().open(TerminalOptions.limits(options), WORKSPACES);
      return new TerminalScenario(options, tasks, provider, pool, folder);
    } catch (IOException e) {
      free(provider, folder);
      throw new UncheckedIOException(e);
    } catch (Throwable e) {
      free(provider, folder);
      throw e;
    }
  }

  private static void free(Lease<WorkspaceProvider> provider, @Nullable Path folder) {
    provider.close();
    if (folder != null) {
      delete(folder);
    }
  }

  @Override
  public String instruction() {
    return instruction;
  }

  @Override
  public List<ToolSchema> tools() {
    return WorkspaceTools.SCHEMAS;
  }

  @Override
  public Episode reset(long seed) {
    return episode(tasks.of(EpisodeStart.of(seed)));
  }

  @Override
  public Episode reset(EpisodeStart start) {
    return episode(tasks.of(start));
  }

  private Episode episode(TerminalTask task) {
    WorkspaceTemplate template =
        templates.computeIfAbsent(
            task.verifier().folder(),
            _ -> task.start().template(folder.resolve("start-" + starts.incrementAndGet())));
    try {
      Workspace workspace = pool.take(template);
      return new TerminalEpisode(
          task,
          workspace,
          new WorkspaceTools(workspace, task.environment(), calls),
          new Verifier(task, verifierTime),
          slots);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CancellationException("no workspace was free");
    }
  }

  @Override
  public Stream<TaskInfo> tasks() {
    return tasks.known().map(task -> new TaskInfo(task.name(), Map.of("task", task.name())));
  }

  /** Ends all commands and deletes the workspaces. */
  @Override
  public void close() {
    try {
      pool.close();
    } finally {
      free(provider, folder);
    }
  }

  private static void delete(Path folder) {
    try {
      Files.walkFileTree(
          folder,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
              Files.delete(file);
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failure)
                throws IOException {
              Files.delete(visited);
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
