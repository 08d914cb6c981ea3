package roll.parallel;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import roll.api.strategy.TokenBatch;
import roll.batching.Cutting;
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
 * @param cutting lays out the samples of a micro-batch
 */
record ShardedBatch(
    TokenBatch batch, List<List<int @Nullable []>> parts, int multiple, Cutting cutting) {

  /**
   * Divides {@code batch} among the data-parallel ranks.
   *
   * @param cutting makes micro-batches of the samples of one rank
   */
  static ShardedBatch of(TokenBatch batch, ParallelLayout layout, Cutting cutting) {
    List<List<int @Nullable []>> parts = new ArrayList<>();
    for (int[] samples : cutting.shares(batch, layout.data())) {
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
    return new ShardedBatch(batch, parts, multiple, cutting);
  }

  /** Returns the share of the tokens that common prefixes save, 0 to 1. */
  double shared() {
    return cutting.shared(
        batch, parts.stream().flatMap(List::stream).filter(Objects::nonNull).toList());
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
    return samples == null
        ? MicroBatch.empty(multiple)
        : MicroBatch.of(batch, samples, cutting, multiple);
  }
}
