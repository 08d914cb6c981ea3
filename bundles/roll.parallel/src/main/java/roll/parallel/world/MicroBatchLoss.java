package roll.parallel.world;

import org.jspecify.annotations.Nullable;
import org.osgi.annotation.versioning.ConsumerType;

/** The loss of a step, evaluated for ranks with a head. For use from any thread. */
@ConsumerType
public interface MicroBatchLoss {
  /**
   * Returns the derivatives of the loss with respect to the head's output for one micro-batch;
   * waits for the evaluation of earlier micro-batches.
   *
   * @param number number of the micro-batch on its rank
   * @param rank the data-parallel rank
   * @param columns the head's output, one number for each token of its samples; empty if the rank
   *     has no samples in it
   * @return in the same shape; null if the rank has no samples in it
   */
  double @Nullable [][] evaluate(int number, int rank, double[][] columns);

  /** Releases waiting ranks after a rank has failed. */
  void abort(Throwable cause);
}
