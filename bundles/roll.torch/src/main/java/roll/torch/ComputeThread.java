package roll.torch;

import ai.djl.engine.EngineException;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The platform thread of a {@link Device}, which runs one task after another. */
final class ComputeThread {
  private final Runnable start;
  private final Function<EngineException, RuntimeException> failures;
  private final ExecutorService executor =
      Executors.newSingleThreadExecutor(
          Thread.ofPlatform().name("roll-compute").daemon(true).factory());
  private volatile @Nullable Thread thread;

  /**
   * Creates a thread that is started by its first task.
   *
   * @param start runs before each task; if it throws, the task fails
   * @param failures replaces exceptions of the engine
   */
  ComputeThread(Runnable start, Function<EngineException, RuntimeException> failures) {
    this.start = start;
    this.failures = failures;
  }

  /** Returns whether the calling thread is this one. */
  boolean isCurrent() {
    return Thread.currentThread() == thread;
  }

  /** Runs {@code work} after all work submitted before, or immediately if called on this thread. */
  <T extends @Nullable Object> CompletableFuture<T> submit(Callable<T> work) {
    if (!isCurrent()) {
      return queue(work);
    }
    CompletableFuture<T> result = new CompletableFuture<>();
    run(work, result);
    return result;
  }

  /** Runs {@code work} after all work submitted before. */
  <T extends @Nullable Object> CompletableFuture<T> queue(Callable<T> work) {
    CompletableFuture<T> result = new CompletableFuture<>();
    executor.execute(() -> run(work, result));
    return result;
  }

  private <T extends @Nullable Object> void run(Callable<T> work, CompletableFuture<T> result) {
    thread = Thread.currentThread();
    try {
      start.run();
      result.complete(work.call());
    } catch (EngineException failure) {
      result.completeExceptionally(failures.apply(failure));
    } catch (Throwable failure) {
      result.completeExceptionally(failure);
    }
  }

  /** Ends the thread after all submitted work and {@code last}, or after a minute. */
  void close(Runnable last) {
    if (!executor.isShutdown()) {
      executor.execute(last);
      executor.shutdown();
    }
    try {
      if (!executor.awaitTermination(1, TimeUnit.MINUTES)) {
        executor.shutdownNow();
      }
    } catch (InterruptedException interrupted) {
      executor.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
