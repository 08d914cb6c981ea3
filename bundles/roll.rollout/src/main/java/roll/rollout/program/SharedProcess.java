package roll.rollout.program;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.Reader;
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
 * A process that plays many episodes concurrently. It reads one line per task and writes one line,
 * with the id of the episode, per result. Other output is logged. When the process ends, its
 * episodes fail.
 */
final class SharedProcess implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger("roll.rollout.program");

  /** Seconds without a task after which the process is ended. */
  private static final long IDLE = 300;

  /** Maximum characters kept of an output line: a program may print an endless one. */
  private static final int LONGEST_LINE = 1 << 20;

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
   * Starts a process of an agent program.
   *
   * @throws EnvironmentException if it cannot be started
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
      throw EnvironmentException.of(
          "the program cannot be started: " + config.command().getFirst() + ": " + e.getMessage());
    }
  }

  private void thread(String name, Runnable work) {
    String full = "roll.rollout.program " + process.pid() + " " + name;
    Thread.ofPlatform().daemon().name(full).start(new OneShotTask(work));
  }

  /** Returns the number of running episodes; −1 if the process accepts no more. */
  int load() {
    return closed || !process.isAlive() ? -1 : episodes.size();
  }

  /** Starts the episode {@code id} with {@code task}, one line. */
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
    String status = process.isAlive() ? "" : " with status " + process.exitValue();
    String why = lastError.isEmpty() ? "" : ": " + lastError;
    return EnvironmentException.of("the program ended" + status + " without a result" + why);
  }

  /** Writes tasks; needs its own thread because the program may not read. */
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
      LOG.debug("a program no longer reads: {}", e.toString());
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
      readLines(in, line);
    } catch (IOException e) {
      LOG.debug("a program no longer writes: {}", e.toString());
    }
  }

  /** Passes each line that is not blank to {@code line}, cut to {@link #LONGEST_LINE}. */
  private static void readLines(Reader in, Consumer<String> line) throws IOException {
    StringBuilder text = new StringBuilder();
    int c;
    do {
      c = in.read();
      if (c >= 0 && c != '\n') {
        if (text.length() < LONGEST_LINE) {
          text.append((char) c);
        }
      } else {
        if (!text.toString().isBlank()) {
          line.accept(text.toString());
        }
        text.setLength(0);
      }
    } while (c >= 0);
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
    if (episode == null) { // a line of the log, or the result of an abandoned episode
      return;
    }
    try {
      episode.complete(AgentResult.read(line));
    } catch (EnvironmentException e) {
      episode.completeExceptionally(e);
    }
  }

  /** Kills the process; its episodes fail. */
  @Override
  public void close() {
    closed = true;
    groups.kill(process, mark);
    List<CompletableFuture<AgentResult>> open = List.copyOf(episodes.values());
    episodes.clear();
    open.forEach(episode -> episode.completeExceptionally(ended()));
  }

  /** An episode of this process. */
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
