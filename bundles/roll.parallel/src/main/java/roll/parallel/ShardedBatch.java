package roll.parallel;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import roll.api.strategy.TokenBatch;
import roll.batching.Cutting;
import roll.batching.SequenceBalancing;
import roll.parallel.shard.ParallelLayout;
import roll.torch.MicroBatch;

/**
 * A batch divided among data-parallel ranks: samples are balanced by length, and each share is
 * divided into the same number of micro-batches. Depends only on batch and layout.
 *
 * @param batch all samples
 * @param parts for each data-parallel rank the samples of its micro-batches; null for an empty one
 *     that pads the rank to the common number
 * @param multiple divisor of the row length of a micro-batch
 * @param packed whether the samples of a micro-batch are packed in one row
 */
record ShardedBatch(
    TokenBatch batch, List<List<int @Nullable []>> parts, int multiple, boolean packed) {

  /**
   * Divides {@code batch} among the data-parallel ranks.
   *
   * @param cutting makes micro-batches of the samples of one rank
   */
  static ShardedBatch of(TokenBatch batch, ParallelLayout layout, Cutting cutting) {
    int[] offsets = batch.offsets();
    int[] scored =
        IntStream.range(0, batch.samples())
            .filter(
                s -> IntStream.range(offsets[s], offsets[s + 1]).anyMatch(t -> batch.scored()[t]))
            .toArray();
    long[] sizes = Arrays.stream(scored).mapToLong(s -> offsets[s + 1] - offsets[s]).toArray();
    List<List<int @Nullable []>> parts = new ArrayList<>();
    for (int[] share : SequenceBalancing.of(sizes, layout.data())) {
      int[] samples = Arrays.stream(share).map(i -> scored[i]).toArray();
      List<int @Nullable []> own = new ArrayList<>();
      for (int[] part : cutting.parts(batch.select(samples))) {
        own.add(Arrays.stream(part).map(i -> samples[i]).toArray());
      }
      parts.add(own);
    }
    int most = parts.stream().mapToInt(List::size).max().orElse(0);
    for (List<int @Nullable []> own : parts) {
      while (own.size() < most) {
        own.add(null);
      }
    }
    int multiple = layout.sequenceParallel() ? layout.tensor() : 1;
    return new ShardedBatch(batch, parts, multiple, cutting.packed());
  }

  /** Returns the number of micro-batches of every rank. */
  int count() {
    return parts.getFirst().size();
  }

  /**
   * Returns the samples of micro-batch {@code number} of data-parallel rank {@code rank}, or null
   * if it is empty.
   */
  int @Nullable [] samples(int rank, int number) {
    return parts.get(rank).get(number);
  }

  /** Returns whether a sample of micro-batch {@code number} of any rank has a picture. */
  boolean shows(int number) {
    return parts.stream()
        .flatMap(own -> Stream.ofNullable(own.get(number)))
        .flatMapToInt(Arrays::stream)
        .anyMatch(sample -> !batch.pictures(sample).isEmpty());
  }

  /** Returns the micro-batch of these samples; one token without weight if it is empty. */
  MicroBatch microBatch(int rank, int number) {
    int[] samples = samples(rank, number);
    if (samples == null) {
      return new MicroBatch(
          new int[0],
          multiple,
          new long[multiple],
          new long[1],
          new long[1],
          new int[0],
          new long[] {0, multiple});
    }
    return packed
        ? MicroBatch.packed(batch, samples, multiple)
        : MicroBatch.of(batch, samples, multiple);
  }
}
