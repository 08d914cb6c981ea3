package roll.cluster.inference.pool;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A call that any engine can answer, with the same result.
 *
 * @param call asks an engine
 * @param result of the first that answers
 * @param underWay what the present engine was asked
 */
record EngineTask<R>(
    Function<PoolEngine, CompletableFuture<R>> call,
    CompletableFuture<R> result,
    AtomicReference<@Nullable CompletableFuture<R>> underWay) {
  EngineTask(Function<PoolEngine, CompletableFuture<R>> call) {
    this(call, new CompletableFuture<>(), new AtomicReference<>());
  }

  /** Asks {@code engine}; what it throws fails the future. */
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

  /** Has the engine that was asked end soon. */
  void cancel() {
    CompletableFuture<R> asked = underWay.get();
    if (asked != null) {
      asked.cancel(true);
    }
  }
}
