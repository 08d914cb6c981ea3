package roll.parallel.world;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.osgi.annotation.versioning.ProviderType;
import roll.api.memory.DeviceMemory;
import roll.api.strategy.TokenBatch;

/**
 * Those ranks of a model that are in one process, this or another. What returns a future returns at
 * once; its ranks do such things in the order in which they were told. Every process of the model
 * is told the same, in the same order as to other models on the same devices: ranks wait for those
 * of other processes.
 *
 * <p>If one fails, its process releases all ranks that wait for it, also those of other processes.
 * Then a model with ranks in several processes is over.
 */
@ProviderType
public interface RankProcess extends AutoCloseable {
  /**
   * Adds up the gradients of a batch, over all ranks.
   *
   * @param loss asked by the ranks that have a head
   * @return the norm of the gradient of the whole model
   */
  CompletableFuture<Double> accumulate(TokenBatch batch, MicroBatchLoss loss);

  /** Makes a step with the gradients that were added up, and forgets them. */
  CompletableFuture<Boolean> step(OptimizerStep step);

  /**
   * What the heads here say of their part of {@code batch}, in {@code count} columns.
   *
   * @param adapted whether with the adapters; without them as the model beside which they stand
   */
  CompletableFuture<ScoredTokens> score(TokenBatch batch, int count, boolean adapted);

  /** Has all ranks see what was written. */
  CompletableFuture<Boolean> publish();

  /**
   * Brings numbers to the process of rank 0, in the order in which they are asked for, while the
   * ranks do nothing else.
   *
   * @param numbers in the process of rank 0 receives f32 in native byte order, from all ranks;
   *     others do not use it
   */
  CompletableFuture<Boolean> gather(StateRange run, MemorySegment numbers);

  /**
   * Takes numbers from the process of rank 0, as {@link #gather} brings them there; {@link
   * #publish} follows.
   */
  CompletableFuture<Boolean> scatter(StateRange run, MemorySegment numbers);

  /** Most that each of the ranks here held since this was last asked, in their order. */
  List<DeviceMemory> peakMemory();

  /** Releases the ranks here, because others have failed. From any thread. */
  void abort(Throwable cause);

  /** Frees everything after what was asked for. */
  @Override
  void close();
}
