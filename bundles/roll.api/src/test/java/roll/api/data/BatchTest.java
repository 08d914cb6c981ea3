package roll.api.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class BatchTest {
  private static final Batch BATCH =
      Batch.of(new int[] {0, 3, 3, 5}, new int[] {10, 11, 12, 20, 21}, new int[] {-1, 0, 1, -1, 0})
          .withTokens(Batch.ADVANTAGES, new double[] {0, 1, 2, 0, 3})
          .withSamples(Batch.SCORES, new double[] {1, 0, -1})
          .withLabels(Batch.TAGS, List.of("a", "b", "c"));

  @Test
  void theMaskIsWhatThePolicyWrote() {
    assertArrayEquals(new boolean[] {false, true, true, false, true}, BATCH.mask());
    assertEquals(3, BATCH.samples());
    assertEquals(5, BATCH.size());
  }

  @Test
  void selectsSamplesInAnyOrderAndTwice() {
    Batch chosen = BATCH.select(new int[] {2, 0, 1, 2});
    assertArrayEquals(new int[] {0, 2, 5, 5, 7}, chosen.offsets());
    assertArrayEquals(new int[] {20, 21, 10, 11, 12, 20, 21}, chosen.tokens());
    assertArrayEquals(new int[] {-1, 0, -1, 0, 1, -1, 0}, chosen.turns());
    assertArrayEquals(new boolean[] {false, true, false, true, true, false, true}, chosen.mask());
    assertArrayEquals(new double[] {0, 3, 0, 1, 2, 0, 3}, chosen.tokenColumn(Batch.ADVANTAGES));
    assertArrayEquals(new double[] {-1, 1, 0, -1}, chosen.sampleColumn(Batch.SCORES));
    assertEquals(List.of("c", "a", "b", "c"), chosen.labels(Batch.TAGS));
    assertEquals(0, BATCH.select(new int[0]).size());
  }

  @Test
  void aNewColumnLeavesTheOldBatchAlone() {
    Batch more = BATCH.withTokens(Batch.RETURNS, new double[] {5, 4, 3, 2, 1});
    assertTrue(more.hasTokens(Batch.RETURNS));
    assertFalse(BATCH.hasTokens(Batch.RETURNS));
    assertNull(BATCH.tokenColumnOrNull(Batch.RETURNS));
    assertArrayEquals(BATCH.tokenColumn(Batch.ADVANTAGES), more.tokenColumn(Batch.ADVANTAGES));
    Batch replaced = BATCH.withSamples(Batch.SCORES, new double[] {7, 8, 9});
    assertArrayEquals(new double[] {7, 8, 9}, replaced.sampleColumn(Batch.SCORES));
    assertArrayEquals(new double[] {1, 0, -1}, BATCH.sampleColumn(Batch.SCORES));
  }

  @Test
  void columnsMustFit() {
    assertThrows(IllegalArgumentException.class, () -> BATCH.withTokens("short", new double[4]));
    assertThrows(IllegalArgumentException.class, () -> BATCH.withSamples("long", new double[4]));
    assertThrows(IllegalArgumentException.class, () -> BATCH.withLabels("none", List.of()));
    assertThrows(
        IllegalArgumentException.class, () -> Batch.of(new int[] {0, 2}, new int[3], new int[3]));
    assertThrows(
        IllegalArgumentException.class, () -> Batch.of(new int[] {0, 3}, new int[3], new int[2]));
    assertThrows(NullPointerException.class, () -> BATCH.tokenColumn("unknown"));
    assertThrows(NullPointerException.class, () -> BATCH.sampleColumn("unknown"));
    assertThrows(NullPointerException.class, () -> BATCH.labels("unknown"));
  }
}
