package roll.api.strategy;

import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Helpers for asynchronous calls. */
public final class AsyncCalls {
  private AsyncCalls() {}

  /**
   * Like {@link CompletableFuture#thenApply}, but canceling the result also cancels {@code call}.
   */
  public static <T, R> CompletableFuture<R> then(
      CompletableFuture<T> call, Function<? super T, ? extends R> then) {
    CompletableFuture<R> result = call.thenApply(then);
    var unused =
        result.whenComplete(
            (value, failure) -> {
              if (result.isCancelled()) {
                call.cancel(true);
              }
            });
    return result;
  }
}
