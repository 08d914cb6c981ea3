package roll.shell.syntax;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Waits for futures and returns their results. */
public final class FutureResults {
  private FutureResults() {}

  /** Returns the result of {@code outcome}; its failure is thrown unwrapped. */
  public static <T> T of(CompletableFuture<T> outcome) throws InterruptedException {
    try {
      return outcome.get();
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case RuntimeException failure -> throw failure;
        case Error failure -> throw failure;
        case null, default -> throw new IllegalStateException("the operation failed", e.getCause());
      }
    }
  }

  /** Returns the result; an interrupt calls {@code stop}, and waiting continues. */
  public static <T> T of(CompletableFuture<T> outcome, Runnable stop) {
    while (true) {
      try {
        return of(outcome);
      } catch (InterruptedException e) {
        stop.run();
      }
    }
  }
}
