package roll.batching;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import roll.api.data.RandomStreams;

class SequenceBalancingTest {
  /** 8, 7, 6, 5, 4: pairs (8, 7), (6, 5), (4, –) are 1, 1 and 4 apart; 4 − 1 − 1 is left. */
  @Test
  void theWorkedExample() {
    List<int[]> shares = SequenceBalancing.of(new long[] {8, 7, 6, 5, 4}, 2);
    long[] sums =
        shares.stream()
            .mapToLong(share -> Arrays.stream(share).mapToLong(i -> 8 - i).sum())
            .toArray();
    assertEquals(2, Math.abs(sums[0] - sums[1]));
    assertEquals(30, sums[0] + sums[1]);
  }

  @Test
  void everyPieceIsInOneShareAndTheNumbersDifferByOneAtMost() {
    RandomGenerator random = RandomStreams.of(1, "balance");
    for (int trial = 0; trial < 200; trial++) {
      int shares = 1 + random.nextInt(8);
      int count = random.nextInt(60);
      long[] sizes = random.longs(count, 1, 300).toArray();
      List<int[]> found = SequenceBalancing.of(sizes, shares);
      assertEquals(shares, found.size());
      int[] all = found.stream().flatMapToInt(Arrays::stream).sorted().toArray();
      assertArrayEquals(IntStream.range(0, count).toArray(), all);
      int most = found.stream().mapToInt(share -> share.length).max().orElse(0);
      int least = found.stream().mapToInt(share -> share.length).min().orElse(0);
      assertTrue(most - least <= 1, most + " and " + least);
    }
  }

  /** Shared out in turn, the sums of 64 lengths would be some percent apart. */
  @Test
  void sumsAreNearlyEqual() {
    long[] sizes = RandomStreams.of(2, "lengths").longs(64, 20, 320).toArray();
    List<int[]> found = SequenceBalancing.of(sizes, 4);
    long[] sums =
        found.stream()
            .mapToLong(share -> Arrays.stream(share).mapToLong(i -> sizes[i]).sum())
            .sorted()
            .toArray();
    assertTrue(sums[3] - sums[0] < 0.005 * sums[0], Arrays.toString(sums));
  }
}
