package roll.core;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import roll.api.option.UserException;

/** Times the phases of one step and reads the process's memory after each. */
final class Phases {
  private final Map<String, Double> metrics;
  private final RunLog log;
  private final Progress progress;

  Phases(Map<String, Double> metrics, RunLog log, Progress progress) {
    this.metrics = metrics;
    this.log = log;
    this.progress = progress;
  }

  /** Something a phase does. */
  interface Work<T> {
    T run() throws InterruptedException;
  }

  /**
   * Runs {@code work}; its seconds become {@code time/step_<name>}, the megabytes the process holds
   * before and after {@code memory/step_<name>/start} and {@code …/end}.
   */
  <T> T run(String name, Work<T> work) throws InterruptedException {
    progress.phase(name);
    double before = Memory.residentMegabytes();
    long start = System.nanoTime();
    T result = work.run();
    double seconds = (System.nanoTime() - start) / 1e9;
    double after = Memory.residentMegabytes();
    metrics.put("time/step_" + name, seconds);
    metrics.put("memory/step_" + name + "/start", before);
    metrics.put("memory/step_" + name + "/end", after);
    log.line(
        String.format(java.util.Locale.ROOT, "phase %s %.3f s, %.0f MB", name, seconds, after));
    return result;
  }

  /** Waits for {@code future}; what went wrong in it is thrown as it was. */
  static <T> T await(CompletableFuture<T> future) throws InterruptedException {
    try {
      return future.get();
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      while (cause instanceof java.util.concurrent.CompletionException
          && cause.getCause() != null) {
        cause = cause.getCause();
      }
      switch (cause) {
        case UserException mistake -> throw mistake;
        case RuntimeException failure -> throw failure;
        case Error failure -> throw failure;
        case null, default -> throw new IllegalStateException(cause);
      }
    }
  }
}
