package roll.cluster.inference.pool;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Call that any engine can answer with the same result.
 *
 * @param call calls an engine
 * @param result of the first engine that answers
 * @param underWay future of the current engine
 */
record EngineTask<R>(
    Function<PoolEngine, CompletableFuture<R>> call,
    CompletableFuture<R> result,
    AtomicReference<@Nullable CompletableFuture<R>> underWay) {
  EngineTask(Function<PoolEngine, CompletableFuture<R>> call) {
    this(call, new CompletableFuture<>(), new AtomicReference<>());
  }

  /** Calls {@code engine}; an exception fails the future. */
  CompletableFuture<R> ask(PoolEngine engine) {
    CompletableFuture<R> asked;
    try {
      asked = call.apply(engine);
    } catch (RuntimeException | Error e) {
      asked = CompletableFuture.failedFuture(e);
    }
    underWay.set(asked);
    return asked;
  }

  /** Cancels the call to the current engine. */
  void cancel() {
    CompletableFuture<R> asked = underWay.get();
    if (asked != null) {
      asked.cancel(true);
    }
  }
}
