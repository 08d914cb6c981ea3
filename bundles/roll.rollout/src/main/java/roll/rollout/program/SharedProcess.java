package roll.rollout.program;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import roll.api.config.AgentRunnerConfig;
import roll.api.plugin.OneShotTask;
import roll.api.plugin.ProcessTag;
import roll.rollout.supervise.EnvironmentException;
import roll.text.OneLine;

/**
 * A program that plays many episodes at once: it reads a line for each, and writes one at the end
 * of each, which has its id. What it writes beside goes to the log. When it ends, so do its
 * episodes.
 */
final class SharedProcess implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger("roll.rollout.program");

  /** A program that has had nothing to do for so many seconds is told to end. */
  private static final long IDLE = 300;

  private final ProcessGroup groups;
  private final Process process;
  private final ProcessTag mark;
  private final Map<String, CompletableFuture<AgentResult>> episodes = new ConcurrentHashMap<>();
  private final BlockingQueue<String> tasks = new LinkedBlockingQueue<>();
  private volatile String lastError = "";
  private volatile boolean closed;

  private SharedProcess(ProcessGroup groups, Process process, ProcessTag mark) {
    this.groups = groups;
    this.process = process;
    this.mark = mark;
  }

  /**
   * Starts it.
   *
   * @throws EnvironmentException if the system cannot
   */
  static SharedProcess start(ProcessGroup groups, AgentRunnerConfig config) {
    ProcessBuilder builder = new ProcessBuilder(groups.command(config.command()));
    builder.environment().putAll(AgentTask.noProxy());
    builder.environment().putAll(config.environment());
    ProcessTag mark = ProcessTag.on(builder);
    try {
      SharedProcess started = new SharedProcess(groups, builder.start(), mark);
      started.thread("tasks", started::write);
      started.thread("errors", () -> started.read(started.process.getErrorStream(), started::log));
      started.thread("results", started::results);
      return started;
    } catch (IOException e) {
      throw EnvironmentException.gave(
          "the program", "no start: " + config.command().getFirst() + ": " + e.getMessage());
    }
  }

  private void thread(String name, Runnable work) {
    String full = "roll.rollout.program " + process.pid() + " " + name;
    Thread.ofPlatform().daemon().name(full).start(new OneShotTask(work));
  }

  /** How many episodes it plays; −1 where it takes no more. */
  int load() {
    return closed || !process.isAlive() ? -1 : episodes.size();
  }

  /** Gives it the episode {@code id}, which {@code task} tells of in one line. */
  AgentRun play(String id, String task) {
    CompletableFuture<AgentResult> result = new CompletableFuture<>();
    episodes.put(id, result);
    tasks.add(task);
    if (load() < 0) {
      result.completeExceptionally(ended());
    }
    return new SharedRun(id, result);
  }

  private EnvironmentException ended() {
    String status = process.isAlive() ? "" : " with the status " + process.exitValue();
    String why = lastError.isEmpty() ? "" : ": " + lastError;
    return EnvironmentException.gave("the program", "no result, it ended" + status + why);
  }

  /** On a thread of its own, since the program may not read. */
  private void write() {
    try (OutputStream out = process.getOutputStream()) {
      while (!closed) {
        String task = tasks.poll(IDLE, TimeUnit.SECONDS);
        if (task == null && episodes.isEmpty()) {
          close();
        } else if (task != null) {
          out.write((task + "\n").getBytes(StandardCharsets.UTF_8));
          out.flush();
        }
      }
    } catch (IOException e) {
      LOG.debug("a program reads no more: {}", e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void results() {
    read(process.getInputStream(), this::result);
    try {
      process.waitFor(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    close();
  }

  private void read(InputStream stream, Consumer<String> line) {
    try (BufferedReader in =
        new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
      BoundedLines.read(in, line);
    } catch (IOException e) {
      LOG.debug("a program writes no more: {}", e.toString());
    }
  }

  private void log(String line) {
    lastError = OneLine.of(line);
    LOG.info("program {}: {}", process.pid(), lastError);
  }

  private void result(String line) {
    String id = AgentResult.id(line);
    CompletableFuture<AgentResult> episode = id == null ? null : episodes.remove(id);
    if (id == null) {
      LOG.info("program {}: {}", process.pid(), OneLine.of(line));
    }
    if (episode == null) { // or of one that was given up
      return;
    }
    try {
      episode.complete(AgentResult.read(line));
    } catch (EnvironmentException e) {
      episode.completeExceptionally(e);
    }
  }

  /** Ends it, and with it the episodes that it plays. */
  @Override
  public void close() {
    closed = true;
    groups.kill(process, mark);
    List<CompletableFuture<AgentResult>> open = List.copyOf(episodes.values());
    episodes.clear();
    open.forEach(episode -> episode.completeExceptionally(ended()));
  }

  /** One of its episodes. */
  private final class SharedRun implements AgentRun {
    private final String id;
    private final CompletableFuture<AgentResult> result;

    SharedRun(String id, CompletableFuture<AgentResult> result) {
      this.id = id;
      this.result = result;
    }

    @Override
    public void onEnd(Runnable then) {
      var unused = result.whenComplete((end, failure) -> then.run());
    }

    @Override
    public boolean runs() {
      return !result.isDone();
    }

    @Override
    public AgentResult result() throws InterruptedException {
      try {
        return result.get();
      } catch (ExecutionException e) {
        @Nullable Throwable cause = e.getCause();
        throw cause instanceof EnvironmentException failure
            ? failure
            : new IllegalStateException(cause);
      }
    }

    @Override
    public void close() {
      episodes.remove(id);
    }
  }
}
