package roll.strategy.local_train;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import roll.api.strategy.TokenBatch;

/** Cuts an optimizer batch into micro-batches. */
final class MicroBatchPlan {
  private MicroBatchPlan() {}

  /**
   * The samples with a scored token, longest first (those of equal length in their order), {@code
   * size} at a time: a micro-batch is padded to its longest sample, so neighbours in length pad
   * least. The longest come first so that memory is short at once or never.
   */
  static List<int[]> of(TokenBatch batch, int size) {
    int[] offsets = batch.offsets();
    List<Integer> order =
        IntStream.range(0, batch.samples())
            .filter(
                s -> IntStream.range(offsets[s], offsets[s + 1]).anyMatch(t -> batch.scored()[t]))
            .boxed()
            .sorted(Comparator.comparing(s -> offsets[s] - offsets[s + 1]))
            .toList();
    List<int[]> parts = new ArrayList<>();
    for (int first = 0; first < order.size(); first += size) {
      int end = Math.min(order.size(), first + size);
      parts.add(order.subList(first, end).stream().mapToInt(Integer::intValue).toArray());
    }
    return parts;
  }
}
