package roll.batching;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import roll.api.data.RandomStreams;
import roll.api.strategy.TokenBatch;

/** Micro-batches of packed samples. */
class CuttingTest {
  /** Samples of so many tokens, the last of each scored. */
  private static TokenBatch batch(int... lengths) {
    int[] offsets = new int[lengths.length + 1];
    for (int i = 0; i < lengths.length; i++) {
      offsets[i + 1] = offsets[i] + lengths[i];
    }
    boolean[] scored = new boolean[offsets[lengths.length]];
    for (int i = 1; i < offsets.length; i++) {
      scored[offsets[i] - 1] = true;
    }
    return new TokenBatch(offsets, new int[scored.length], scored);
  }

  private static void assertParts(Cutting cutting, TokenBatch batch, int[]... expected) {
    List<int[]> parts = cutting.parts(batch);
    assertEquals(expected.length, parts.size());
    for (int i = 0; i < expected.length; i++) {
      assertArrayEquals(expected[i], parts.get(i));
    }
  }

  @Test
  void rowsAreFilledInOrderOfLength() {
    TokenBatch batch = batch(7, 3, 5, 2);
    assertParts(new Cutting.Packed(100, 1, false), batch, new int[] {0, 2, 1, 3});
    assertParts(new Cutting.Packed(12, 1, false), batch, new int[] {0, 2}, new int[] {1, 3});
    assertParts(
        new Cutting.Packed(6, 1, false), batch, new int[] {0}, new int[] {2}, new int[] {1, 3});
    assertParts(new Cutting.Packed(100, 2, false), batch, new int[] {0, 2}, new int[] {1, 3});
    assertEquals(17, new Cutting.Packed(100, 1, false).computed(batch, new int[] {0, 1, 2, 3}));
    assertEquals(28, new Cutting.Tokens(100).computed(batch, new int[] {0, 1, 2, 3}));
  }

  /** 7 + 2 and 5 + 3: the sums differ by one. */
  @Test
  void balancedRowsAreNearlyEqual() {
    TokenBatch batch = batch(7, 3, 5, 2);
    assertParts(new Cutting.Packed(9, 1, true), batch, new int[] {0, 3}, new int[] {2, 1});
    assertParts(new Cutting.Packed(100, 2, true), batch, new int[] {0, 3}, new int[] {2, 1});
  }

  @Test
  void everySampleIsInOneRowThatFits() {
    RandomGenerator random = RandomStreams.of(4, "rows");
    for (int run = 0; run < 50; run++) {
      int count = 1 + random.nextInt(20);
      TokenBatch batch = batch(random.ints(count, 2, 40).toArray());
      int least = 1 + random.nextInt(5);
      for (boolean balanced : new boolean[] {false, true}) {
        Cutting cutting = new Cutting.Packed(50, least, balanced);
        List<int[]> parts = cutting.parts(batch);
        assertTrue(parts.size() >= Math.min(least, count));
        int[] all = parts.stream().flatMapToInt(Arrays::stream).sorted().toArray();
        assertEquals(count, Arrays.stream(all).distinct().count());
        assertEquals(count, all.length);
        for (int[] part : parts) {
          assertTrue(part.length > 0 && cutting.computed(batch, part) <= 50);
        }
      }
    }
  }

  @Test
  void aLongerSampleIsAloneAndNoneIsNothing() {
    assertParts(new Cutting.Packed(5, 1, true), batch(9, 2, 2), new int[] {0}, new int[] {1, 2});
    TokenBatch nothing = new TokenBatch(new int[] {0, 2}, new int[2], new boolean[2]);
    assertEquals(0, new Cutting.Packed(5, 3, true).parts(nothing).size());
    assertEquals(0, new Cutting.Packed(5, 3, false).parts(nothing).size());
  }

  @Test
  void aFrozenModelScoresNoMoreSamplesAtOnceThanItIsTold() {
    TokenBatch batch = batch(100, 100, 100, 100, 100);
    assertParts(
        new Cutting.Tokens(Cutting.frozenTokens(2, 0, 100)),
        batch,
        new int[] {0, 1},
        new int[] {2, 3},
        new int[] {4});
  }

  @Test
  void norMoreTokensThanMakeItFasterButAlwaysASample() {
    assertEquals(4096, Cutting.frozenTokens(16, 0, 1000));
    assertEquals(10_000, Cutting.frozenTokens(16, 0, 10_000));
    assertEquals(1000, Cutting.frozenTokens(1, 0, 1000));
    assertEquals(Integer.MAX_VALUE, Cutting.frozenTokens(16, 0, Integer.MAX_VALUE));
    assertEquals(50_000, Cutting.frozenTokens(1, 50_000, 1000));
    assertEquals(1000, Cutting.frozenTokens(1, 10, 1000));
  }
}
