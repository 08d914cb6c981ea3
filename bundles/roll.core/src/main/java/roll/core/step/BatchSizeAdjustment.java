package roll.core.step;

import java.util.Arrays;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import roll.api.data.Batch;
import roll.api.data.RandomStreams;
import roll.runtime.config.algorithm.BatchAdjustment;

/**
 * Number of samples to train on, so that they fill optimizer batches (ROLL's {@code adjust_batch}).
 * Copies would count with weight 0, so none are made: the last optimizer batch has fewer samples
 * instead.
 *
 * @param kept number of samples kept
 * @param missing number of samples missing in the last optimizer batch
 */
record BatchSizeAdjustment(int kept, int missing) {
  /** Returns the adjustment for {@code samples} samples and optimizer batches of {@code unit}. */
  static BatchSizeAdjustment of(int samples, int unit, BatchAdjustment mode) {
    int rest = samples % unit;
    return switch (mode) {
      case COPY -> new BatchSizeAdjustment(samples, Math.floorMod(-samples, unit));
      case DELETE ->
          samples < unit ? of(samples, unit, BatchAdjustment.COPY) : whole(samples - rest);
      case AUTO ->
          of(samples, unit, rest < 0.5 * samples ? BatchAdjustment.DELETE : BatchAdjustment.COPY);
      case RANDOM_SAMPLE -> samples < unit ? of(samples, unit, BatchAdjustment.COPY) : whole(unit);
    };
  }

  private static BatchSizeAdjustment whole(int kept) {
    return new BatchSizeAdjustment(kept, 0);
  }

  /**
   * The samples that stay, in their order; which ones is a function of seed and step.
   *
   * @param metrics get {@code system/batch_add_count} and {@code system/batch_remove_count}
   */
  Batch apply(Batch batch, long seed, int step, Map<String, Double> metrics) {
    metrics.put("system/batch_add_count", (double) missing);
    metrics.put("system/batch_remove_count", (double) batch.samples() - kept);
    if (kept == batch.samples()) {
      return batch;
    }
    int[] order = IntStream.range(0, batch.samples()).toArray();
    RandomGenerator random = RandomStreams.of(seed, "adjustment", step);
    for (int i = 0; i < kept; i++) { // the first steps of Fisher and Yates
      int j = i + random.nextInt(order.length - i);
      int swap = order[i];
      order[i] = order[j];
      order[j] = swap;
    }
    int[] chosen = Arrays.copyOf(order, kept);
    Arrays.sort(chosen);
    return batch.select(chosen);
  }
}
