package roll.shell.syntax;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** What commands wait for. */
public final class Outcomes {
  private Outcomes() {}

  /** What {@code outcome} gives; why it failed is thrown as it was. */
  public static <T> T of(CompletableFuture<T> outcome) throws InterruptedException {
    try {
      return outcome.get();
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case RuntimeException failure -> throw failure;
        case Error failure -> throw failure;
        case null, default -> throw new IllegalStateException("it failed", e.getCause());
      }
    }
  }

  /** The same; an interrupt has {@code stop} done, which asks for an end, and is waited on. */
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
