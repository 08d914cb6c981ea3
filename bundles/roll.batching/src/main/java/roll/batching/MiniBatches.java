package roll.batching;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import roll.api.data.RandomStreams;

/** Divides a batch into the mini-batches of optimizer steps. */
public final class MiniBatches {
  private MiniBatches() {}

  /**
   * Returns the samples of each mini-batch, shuffled by a function of the arguments alone; the last
   * one is smaller if {@code size} does not divide {@code samples}.
   *
   * @param seed of the run
   * @param step number of the pipeline step
   * @param epoch number of the pass over the batch
   */
  public static List<int[]> of(int samples, int size, long seed, int step, int epoch) {
    int[] order = IntStream.range(0, samples).toArray();
    RandomGenerator random = RandomStreams.of(seed, "minibatch", step, epoch);
    for (int i = samples - 1; i > 0; i--) { // Fisher and Yates
      int j = random.nextInt(i + 1);
      int swap = order[i];
      order[i] = order[j];
      order[j] = swap;
    }
    List<int[]> parts = new ArrayList<>();
    for (int from = 0; from < samples; from += size) {
      parts.add(Arrays.copyOfRange(order, from, Math.min(samples, from + size)));
    }
    return parts;
  }
}
