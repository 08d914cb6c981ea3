package roll.torch;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import roll.api.strategy.TokenBatch;
import roll.batching.PrefixTree;

/** Samples with common prefixes, some of whose tokens are scored. */
final class SharedBatch {
  private static final List<int[]> SAMPLES =
      List.of(
          new int[] {3, 1, 4, 1, 5, 9, 2, 6},
          new int[] {3, 1, 4, 1, 5, 8, 8},
          new int[] {6, 5, 3},
          new int[] {3, 1, 4, 1, 5, 9, 2, 7},
          new int[] {3, 1, 4, 1, 5, 9},
          new int[] {3, 1, 4, 1, 7},
          new int[] {3, 1, 4, 1, 5, 9, 2, 6});

  /** All samples; of each, the last half is scored. */
  static final TokenBatch BATCH = batch();

  private SharedBatch() {}

  private static TokenBatch batch() {
    int[] offsets = new int[SAMPLES.size() + 1];
    Arrays.setAll(offsets, i -> SAMPLES.stream().limit(i).mapToInt(each -> each.length).sum());
    boolean[] scored = new boolean[offsets[SAMPLES.size()]];
    for (int i = 0; i < SAMPLES.size(); i++) {
      Arrays.fill(scored, (offsets[i] + offsets[i + 1] + 1) / 2, offsets[i + 1], true);
    }
    return new TokenBatch(offsets, SAMPLES.stream().flatMapToInt(IntStream::of).toArray(), scored);
  }

  /** Returns {@code samples} in one row, every common prefix once. */
  static MicroBatch merged(int[] samples, int multiple) {
    return MicroBatch.shared(BATCH, samples, PrefixTree.of(BATCH, samples, -1, 1), multiple);
  }
}
