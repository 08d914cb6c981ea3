package roll.api.strategy;

import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Calls whose results are passed on by others. */
public final class Calls {
  private Calls() {}

  /**
   * What {@code then} makes of the result of {@code call}. Canceling it cancels {@code call}, which
   * {@link CompletableFuture#thenApply} alone would not do.
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
