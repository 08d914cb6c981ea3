package roll.cluster.inference.pool;

import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import roll.api.strategy.InferSession;
import roll.api.strategy.WeightsHandle;

/**
 * Queue of weight updates, sleep and wake calls to the engine of another node, which the pool does
 * not wait for. The engine gets new requests only when the queue is empty, and so has the newest
 * weights; an engine that fails leaves the pool. Thread-safe.
 */
final class EngineCommandQueue {
  private final String id;
  private final InferSession session;
  private final EnginePool pool;
  private final LongConsumer announce;
  private CompletableFuture<Void> last = CompletableFuture.completedFuture(null);
  private int pending;
  private @Nullable WeightsHandle newest;

  /**
   * Creates an empty queue.
   *
   * @param announce sends the newest version of the weights to the node at once
   */
  EngineCommandQueue(String id, InferSession session, EnginePool pool, LongConsumer announce) {
    this.id = id;
    this.session = session;
    this.pool = pool;
    this.announce = announce;
  }

  /** Updates the engine to {@code weights}, unless newer ones come first. */
  synchronized CompletableFuture<Void> weights(WeightsHandle weights) {
    newest = weights;
    announce.accept(weights.version());
    return submit(
        to -> isNewest(weights) ? to.update(weights) : CompletableFuture.completedFuture(null));
  }

  private synchronized boolean isNewest(WeightsHandle weights) {
    return weights.equals(newest);
  }

  /**
   * Calls the engine after the earlier calls, while new requests are paused; the result completes
   * or fails with the call.
   */
  synchronized CompletableFuture<Void> submit(
      Function<InferSession, CompletableFuture<Void>> what) {
    pending++;
    pool.pause(id);
    CompletableFuture<Void> next =
        last.thenCompose(_ -> what.apply(session)).whenComplete((_, failure) -> done(failure));
    last = next;
    return next;
  }

  private void done(@Nullable Throwable failure) {
    boolean ready;
    synchronized (this) {
      pending--;
      ready = pending == 0 && failure == null;
    }
    if (failure != null) {
      pool.failed(id, failure);
    } else if (ready) {
      pool.resume(id);
    }
  }
}
