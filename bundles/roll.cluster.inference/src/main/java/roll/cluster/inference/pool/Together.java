package roll.cluster.inference.pool;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;

/** Calls whose results make one. */
final class Together {
  private Together() {}

  /** All results in their order; canceling it cancels all, and so does a failure of one. */
  static <T, R> CompletableFuture<R> all(
      List<CompletableFuture<T>> parts, Function<List<T>, R> how) {
    CompletableFuture<R> all =
        CompletableFuture.allOf(parts.toArray(CompletableFuture[]::new))
            .thenApply(_ -> how.apply(parts.stream().map(CompletableFuture::join).toList()));
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
}
