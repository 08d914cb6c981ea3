package roll.parallel.world;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.osgi.annotation.versioning.ProviderType;
import roll.api.memory.SessionMemory;
import roll.api.strategy.TokenBatch;

/**
 * The ranks of a model in one process, this or another. Methods with futures return immediately;
 * the ranks execute them in the order of the calls. Every process of the model must get the same
 * calls, also in the same order relative to other models on the same devices, since ranks wait for
 * each other.
 *
 * <p>If a rank fails, its process releases all ranks that wait for it, including those of other
 * processes. A model with ranks in several processes cannot be used afterward.
 */
@ProviderType
public interface RankProcess extends AutoCloseable {
  /**
   * Accumulates and reduces the gradients of a batch.
   *
   * @param loss evaluated for ranks with a head
   * @return the global gradient norm
   */
  CompletableFuture<Double> accumulate(TokenBatch batch, MicroBatchLoss loss);

  /** Makes a step with the accumulated gradients, and discards them. */
  CompletableFuture<Boolean> step(OptimizerStep step);

  /**
   * Returns the output of this process's heads for their part of {@code batch}, in {@code count}
   * columns.
   *
   * @param adapted whether to apply the adapters, or score with the base model
   */
  CompletableFuture<ScoredTokens> score(TokenBatch batch, int count, boolean adapted);

  /** Publishes written weights to all ranks of the process. */
  CompletableFuture<Boolean> publish();

  /**
   * Gathers numbers in the process of rank 0, in the order of the calls, while the ranks are idle.
   *
   * @param numbers receives f32 in native byte order from all ranks, in the process of rank 0;
   *     unused in others
   */
  CompletableFuture<Boolean> gather(StateRange run, MemorySegment numbers);

  /**
   * Scatters numbers of the process of rank 0, the inverse of {@link #gather}; {@link #publish}
   * must follow.
   */
  CompletableFuture<Boolean> scatter(StateRange run, MemorySegment numbers);

  /**
   * Returns the peak memory of each rank of this process since the previous call, in their order.
   */
  List<SessionMemory> peakMemory();

  /** Releases the ranks of this process, because others have failed. For use from any thread. */
  void abort(Throwable cause);

  /** Frees everything after all earlier calls. */
  @Override
  void close();
}
