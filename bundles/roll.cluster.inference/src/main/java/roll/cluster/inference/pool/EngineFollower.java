package roll.cluster.inference.pool;

import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import roll.api.strategy.InferSession;
import roll.api.strategy.Weights;

/**
 * Tells the engine of another node, one after the other, to take weights, to sleep and to wake,
 * while nobody waits. It gets new work only when it has done all it was told, and so has the newest
 * weights; one that cannot leaves the pool. Can be used by all threads.
 */
final class EngineFollower {
  private final String id;
  private final InferSession session;
  private final EnginePool pool;
  private final LongConsumer announce;
  private CompletableFuture<Void> last = CompletableFuture.completedFuture(null);
  private int told;
  private @Nullable Weights newest;

  /**
   * One that was told nothing yet.
   *
   * @param announce tells the node at once which version of the weights is the newest
   */
  EngineFollower(String id, InferSession session, EnginePool pool, LongConsumer announce) {
    this.id = id;
    this.session = session;
    this.pool = pool;
    this.announce = announce;
  }

  /** Has it go over to {@code weights}, unless others come before it gets to that. */
  synchronized CompletableFuture<Void> weights(Weights weights) {
    newest = weights;
    announce.accept(weights.version());
    return tell(
        to -> isNewest(weights) ? to.update(weights) : CompletableFuture.completedFuture(null));
  }

  private synchronized boolean isNewest(Weights weights) {
    return weights.equals(newest);
  }

  /** Has it do something; completes when it has, or fails as that did. */
  synchronized CompletableFuture<Void> tell(Function<InferSession, CompletableFuture<Void>> what) {
    told++;
    pool.pause(id);
    CompletableFuture<Void> next =
        last.thenCompose(_ -> what.apply(session)).whenComplete((_, failure) -> done(failure));
    last = next;
    return next;
  }

  private void done(@Nullable Throwable failure) {
    boolean ready;
    synchronized (this) {
      told--;
      ready = told == 0 && failure == null;
    }
    if (failure != null) {
      pool.failed(id, failure);
    } else if (ready) {
      pool.resume(id);
    }
  }
}
