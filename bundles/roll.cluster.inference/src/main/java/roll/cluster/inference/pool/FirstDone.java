package roll.cluster.inference.pool;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** Waits for the first of several that is done. */
final class FirstDone {
  private FirstDone() {}

  /**
   * Completes with the first of {@code all} that does, or at once if there is none; fails as the
   * last.
   */
  static CompletableFuture<Void> of(List<CompletableFuture<Void>> all) {
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
