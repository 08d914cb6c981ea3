package roll.torch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import roll.api.strategy.TokenBatch;
import roll.batching.MicroBatches;
import roll.testkit.SmallDecoder;

/** Cutting and padding of batches. */
final class MicroBatchTest {
  @Test
  void samplesArePaddedAndScoredByThePositionBefore() {
    MicroBatch part = MicroBatch.of(SmallDecoder.batch(), new int[] {2, 1});
    assertEquals(5, part.length());
    assertArrayEquals(new long[] {5, 8, 9, 7, 9, 6, 5, 3, 0, 0}, part.tokens());
    assertArrayEquals(new long[] {0, 1, 2, 3, 5, 6}, part.rows());
    assertArrayEquals(new long[] {8, 9, 7, 9, 5, 3}, part.targets());
    assertArrayEquals(new int[] {11, 12, 13, 14, 8, 9}, part.cells());
  }

  @Test
  void packedSamplesLieEndToEnd() {
    MicroBatch part = MicroBatch.packed(SmallDecoder.batch(), new int[] {2, 1}, 1);
    assertEquals(8, part.length());
    assertEquals(5, part.longest());
    assertArrayEquals(new long[] {5, 8, 9, 7, 9, 6, 5, 3}, part.tokens());
    assertArrayEquals(new long[] {0, 1, 2, 3, 5, 6}, part.rows());
    assertArrayEquals(new int[] {11, 12, 13, 14, 8, 9}, part.cells());
    assertArrayEquals(new long[] {5, 3, -1, -1}, part.segments());
  }

  @Test
  void whatIsMissingToAMultipleIsASampleOfItsOwn() {
    MicroBatch part = MicroBatch.packed(SmallDecoder.batch(), new int[] {2, 1}, 3);
    assertArrayEquals(new long[] {5, 8, 9, 7, 9, 6, 5, 3, 0}, part.tokens());
    assertArrayEquals(new long[] {5, 3, 1, -1, -1, -1}, part.segments());
    assertArrayEquals(new long[] {0, 1, 2, 3, 5, 6}, part.rows());
  }

  @Test
  void partsFitTheBudgetWithThePaddingCounted() {
    // lengths 7, 3, 5: longest first
    assertParts(100, new int[] {0, 2, 1});
    assertParts(14, new int[] {0, 2}, new int[] {1});
    assertParts(13, new int[] {0}, new int[] {2, 1});
    assertParts(1, new int[] {0}, new int[] {2}, new int[] {1});
  }

  private static void assertParts(int tokens, int[]... expected) {
    List<int[]> parts = MicroBatches.byTokens(SmallDecoder.batch(), tokens);
    assertEquals(expected.length, parts.size());
    for (int i = 0; i < expected.length; i++) {
      assertArrayEquals(expected[i], parts.get(i));
    }
  }

  @Test
  void partsHaveTheirNumberOfSamplesLongestFirst() {
    List<int[]> parts = MicroBatches.bySamples(SmallDecoder.batch(), 2);
    assertEquals(2, parts.size());
    assertArrayEquals(new int[] {0, 2}, parts.get(0));
    assertArrayEquals(new int[] {1}, parts.get(1));
  }

  @Test
  void samplesWithoutScoredTokensAreLeftOut() {
    TokenBatch batch =
        new TokenBatch(
            new int[] {0, 2, 4}, new int[] {1, 2, 3, 4}, new boolean[] {false, false, false, true});
    List<int[]> parts = MicroBatches.byTokens(batch, 100);
    assertEquals(1, parts.size());
    assertArrayEquals(new int[] {1}, parts.getFirst());
  }
}
