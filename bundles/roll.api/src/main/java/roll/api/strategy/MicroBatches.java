package roll.api.strategy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/**
 * Cuts a batch into micro-batches: the samples that have a scored token, longest first (those of
 * equal length in their order). A micro-batch is padded to its longest sample, so neighbours in
 * length pad least; the longest come first so that memory is short at once or never. The result
 * depends on the batch alone.
 */
public final class MicroBatches {
  private MicroBatches() {}

  /**
   * As many samples at once as fit a budget of tokens.
   *
   * @param tokens most tokens of a part, padding counted; a longer sample is a part of its own
   */
  public static List<int[]> byTokens(TokenBatch batch, int tokens) {
    int[] offsets = batch.offsets();
    return cut(batch, s -> Math.max(1, tokens / (offsets[s + 1] - offsets[s])));
  }

  /** {@code size} samples at once. */
  public static List<int[]> bySamples(TokenBatch batch, int size) {
    return cut(batch, s -> size);
  }

  /**
   * Cuts the samples by how many fit beside the longest.
   *
   * @param fitting how many samples no longer than a sample are a part
   */
  private static List<int[]> cut(TokenBatch batch, IntUnaryOperator fitting) {
    int[] offsets = batch.offsets();
    int[] order =
        IntStream.range(0, batch.samples())
            .filter(s -> anyScored(batch, s))
            .boxed()
            .sorted(Comparator.comparing(s -> offsets[s] - offsets[s + 1]))
            .mapToInt(s -> s)
            .toArray();
    List<int[]> parts = new ArrayList<>();
    int first = 0;
    while (first < order.length) {
      int end = (int) Math.min(order.length, (long) first + fitting.applyAsInt(order[first]));
      parts.add(Arrays.copyOfRange(order, first, end));
      first = end;
    }
    return parts;
  }

  private static boolean anyScored(TokenBatch batch, int sample) {
    return IntStream.range(batch.offsets()[sample], batch.offsets()[sample + 1])
        .anyMatch(t -> batch.scored()[t]);
  }
}
