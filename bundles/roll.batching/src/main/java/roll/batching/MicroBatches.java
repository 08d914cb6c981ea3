package roll.batching;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import roll.api.strategy.TokenBatch;

/**
 * Divides a batch into micro-batches of the samples with a scored token, longest first (stable for
 * equal lengths). Without packing a micro-batch is padded to its longest sample, so that similar
 * lengths need little padding; the longest come first so that a lack of memory shows immediately.
 * The result depends on the batch alone.
 */
public final class MicroBatches {
  private MicroBatches() {}

  /**
   * Returns micro-batches within a token budget.
   *
   * @param tokens maximum tokens of a micro-batch, including padding; a longer sample is a
   *     micro-batch of its own
   */
  public static List<int[]> byTokens(TokenBatch batch, int tokens) {
    int[] offsets = batch.offsets();
    return cut(batch, s -> Math.max(1, tokens / (offsets[s + 1] - offsets[s])));
  }

  /** Returns the division into micro-batches of {@code size} samples. */
  public static List<int[]> bySamples(TokenBatch batch, int size) {
    return cut(batch, s -> size);
  }

  /**
   * Returns packed micro-batches within a token budget.
   *
   * @param tokens maximum tokens of a micro-batch; a longer sample is a micro-batch of its own
   * @param least minimum number of micro-batches, if there are enough samples
   * @param balanced whether to balance their numbers of tokens (see {@link SequenceBalancing}), in
   *     descending order; otherwise they are filled one after another, the longest samples first
   */
  public static List<int[]> packed(TokenBatch batch, int tokens, int least, boolean balanced) {
    int[] order = order(batch);
    long[] sizes = lengths(batch, order);
    return balanced
        ? balanced(order, sizes, tokens, least)
        : filled(order, sizes, tokens, Math.max(1, order.length / least));
  }

  /** Fills micro-batches of at most {@code most} tokens. */
  private static List<int[]> filled(int[] order, long[] sizes, int tokens, int most) {
    List<int[]> parts = new ArrayList<>();
    int first = 0;
    while (first < order.length) {
      int end = first + 1;
      long sum = sizes[first];
      while (end < order.length && end - first < most && sum + sizes[end] <= tokens) {
        sum += sizes[end];
        end++;
      }
      parts.add(Arrays.copyOfRange(order, first, end));
      first = end;
    }
    return parts;
  }

  /** Returns the minimum number of balanced micro-batches that all fit. */
  private static List<int[]> balanced(int[] order, long[] sizes, int tokens, int least) {
    if (order.length == 0) {
      return List.of();
    }
    long whole = Arrays.stream(sizes).map(size -> Math.min(size, tokens)).sum();
    int count = (int) Math.min(order.length, Math.max(least, Math.ceilDiv(whole, tokens)));
    List<int[]> shares = SequenceBalancing.of(sizes, count);
    while (!shares.stream().allMatch(share -> fits(share, sizes, tokens))) {
      count++;
      shares = SequenceBalancing.of(sizes, count);
    }
    return shares.stream().map(share -> Arrays.stream(share).map(i -> order[i]).toArray()).toList();
  }

  private static boolean fits(int[] share, long[] sizes, int tokens) {
    return share.length == 1 || Arrays.stream(share).mapToLong(i -> sizes[i]).sum() <= tokens;
  }

  private static long[] lengths(TokenBatch batch, int[] samples) {
    int[] offsets = batch.offsets();
    return Arrays.stream(samples).mapToLong(s -> offsets[s + 1] - offsets[s]).toArray();
  }

  /**
   * Divides the samples by the number that fits with the longest one.
   *
   * @param fitting maximum number of samples up to the length of a sample
   */
  private static List<int[]> cut(TokenBatch batch, IntUnaryOperator fitting) {
    int[] order = order(batch);
    List<int[]> parts = new ArrayList<>();
    int first = 0;
    while (first < order.length) {
      int end = (int) Math.min(order.length, (long) first + fitting.applyAsInt(order[first]));
      parts.add(Arrays.copyOfRange(order, first, end));
      first = end;
    }
    return parts;
  }

  /** Returns the samples with a scored token, longest first. */
  private static int[] order(TokenBatch batch) {
    int[] offsets = batch.offsets();
    return scored(batch)
        .boxed()
        .sorted(Comparator.comparing(s -> offsets[s] - offsets[s + 1]))
        .mapToInt(s -> s)
        .toArray();
  }

  /** Returns the samples with a scored token. */
  static IntStream scored(TokenBatch batch) {
    return IntStream.range(0, batch.samples()).filter(s -> anyScored(batch, s));
  }

  private static boolean anyScored(TokenBatch batch, int sample) {
    return IntStream.range(batch.offsets()[sample], batch.offsets()[sample + 1])
        .anyMatch(t -> batch.scored()[t]);
  }
}
