package roll.batching;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

@NullMarked
class MiniBatchesTest {
  @Test
  void everySampleIsInOneOfThem() {
    List<int[]> parts = MiniBatches.of(10, 4, 42, 1, 0);
    assertEquals(List.of(4, 4, 2), parts.stream().map(part -> part.length).toList());
    int[] all = parts.stream().flatMapToInt(Arrays::stream).sorted().toArray();
    assertArrayEquals(IntStream.range(0, 10).toArray(), all);
  }

  @Test
  void seedStepAndEpochDecideTheOrder() {
    assertEquals(order(42, 1, 0), order(42, 1, 0));
    assertNotEquals(order(42, 1, 0), order(42, 2, 0));
    assertNotEquals(order(42, 1, 0), order(42, 1, 1));
    assertNotEquals(order(42, 1, 0), order(43, 1, 0));
  }

  private static List<Integer> order(long seed, int step, int epoch) {
    return MiniBatches.of(10, 4, seed, step, epoch).stream()
        .flatMapToInt(Arrays::stream)
        .boxed()
        .toList();
  }
}
