package roll.cluster.inference.pool;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** Combinations of several futures. */
final class Futures {
  private Futures() {}

  /**
   * Combines the results of all futures, in their order. Canceling the result, or a failure of one
   * future, cancels all.
   */
  static <T, R> CompletableFuture<R> all(
      List<CompletableFuture<T>> parts, Function<List<T>, R> combine) {
    CompletableFuture<R> all =
        CompletableFuture.allOf(parts.toArray(CompletableFuture[]::new))
            .thenApply(_ -> combine.apply(parts.stream().map(CompletableFuture::join).toList()));
    parts.forEach(
        part -> {
          var unused =
              part.exceptionally(
                  failure -> {
                    all.completeExceptionally(failure);
                    throw new CompletionException(failure);
                  });
        });
    var unused =
        all.whenComplete(
            (_, failure) -> {
              if (failure != null) {
                parts.forEach(part -> part.cancel(true));
              }
            });
    return all;
  }

  /**
   * Completes with the first future that does, or at once without any; fails when all have failed.
   */
  static CompletableFuture<Void> first(List<CompletableFuture<Void>> all) {
    if (all.isEmpty()) {
      return CompletableFuture.completedFuture(null);
    }
    CompletableFuture<Void> first = new CompletableFuture<>();
    AtomicInteger failed = new AtomicInteger();
    for (CompletableFuture<Void> each : all) {
      var unused =
          each.whenComplete(
              (_, failure) -> {
                if (failure == null) {
                  first.complete(null);
                } else if (failed.incrementAndGet() == all.size()) {
                  first.completeExceptionally(failure);
                }
              });
    }
    return first;
  }
}
