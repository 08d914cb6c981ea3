package roll.parallel.world;

import org.jspecify.annotations.Nullable;
import org.osgi.annotation.versioning.ConsumerType;

/** The loss of a step, as ranks with a head ask for it. Can be asked by all threads. */
@ConsumerType
public interface MicroBatchLoss {
  /**
   * Derivatives of the loss by what the head says of one micro-batch; waits until those before it
   * have been asked for.
   *
   * @param number of the micro-batch among those of its rank
   * @param rank the data-parallel rank
   * @param columns what the head says, one cell per token of its samples; none where the rank has
   *     no samples in it
   * @return of the same shape; null where the rank has no samples in it
   */
  double @Nullable [][] evaluate(int number, int rank, double[][] columns);

  /** Says that a rank has failed: whoever waits here is released. */
  void abort(Throwable cause);
}
