package roll.torch;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import roll.api.strategy.TokenBatch;

/** Cuts a batch into parts that fit a budget of tokens, padding counted. */
public final class MicroBatches {
  private MicroBatches() {}

  /**
   * The samples that have a scored token, longest first, so that those of a part have about the
   * same length. The result depends on the batch alone.
   *
   * @param tokens most tokens of a part, padding counted; a longer sample is a part of its own
   */
  public static List<int[]> plan(TokenBatch batch, int tokens) {
    int[] offsets = batch.offsets();
    List<Integer> order =
        IntStream.range(0, batch.samples())
            .filter(s -> anyScored(batch, s))
            .boxed()
            .sorted(Comparator.comparing(s -> offsets[s] - offsets[s + 1]))
            .toList();
    List<int[]> parts = new ArrayList<>();
    int first = 0;
    while (first < order.size()) {
      int longest = offsets[order.get(first) + 1] - offsets[order.get(first)];
      int count = Math.min(order.size() - first, Math.max(1, tokens / longest));
      parts.add(order.subList(first, first + count).stream().mapToInt(s -> s).toArray());
      first += count;
    }
    return parts;
  }

  private static boolean anyScored(TokenBatch batch, int sample) {
    return IntStream.range(batch.offsets()[sample], batch.offsets()[sample + 1])
        .anyMatch(t -> batch.scored()[t]);
  }
}
