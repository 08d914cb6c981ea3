package roll.cluster.inference.pool;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import roll.api.strategy.InferSession;

/**
 * A call that any engine can answer, with the same result.
 *
 * @param call asks an engine
 * @param result of the first that answers
 * @param underWay what the present engine was asked
 */
record EngineTask<R>(
    Function<InferSession, CompletableFuture<R>> call,
    CompletableFuture<R> result,
    AtomicReference<@Nullable CompletableFuture<R>> underWay) {
  EngineTask(Function<InferSession, CompletableFuture<R>> call) {
    this(call, new CompletableFuture<>(), new AtomicReference<>());
  }

  /** Asks {@code session}; what it throws fails the future. */
  CompletableFuture<R> ask(InferSession session) {
    CompletableFuture<R> asked;
    try {
      asked = call.apply(session);
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
