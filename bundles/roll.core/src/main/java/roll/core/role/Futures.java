package roll.core.role;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import roll.api.option.UserException;

/** Waits for the results of futures. */
public final class Futures {
  private Futures() {}

  /**
   * The result of {@code future}, waited for; its failure is thrown as it was, without wrappers.
   */
  public static <T> T await(CompletableFuture<T> future) throws InterruptedException {
    try {
      return future.get();
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      while (cause instanceof CompletionException && cause.getCause() != null) {
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
