package roll.api.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class BatchTest {
  private static final Batch BATCH =
      Batch.of(new int[] {0, 3, 3, 5}, new int[] {10, 11, 12, 20, 21}, new int[] {-1, 0, 1, -1, 0})
          .withColumn(Batch.ADVANTAGES, new double[] {0, 1, 2, 0, 3})
          .withColumn(Batch.SCORES, new double[] {1, 0, -1})
          .withColumn(Batch.TAGS, List.of("a", "b", "c"));

  @Test
  void theMaskIsWhatThePolicyWrote() {
    assertArrayEquals(new boolean[] {false, true, true, false, true}, BATCH.layout().mask());
    assertEquals(3, BATCH.samples());
    assertEquals(5, BATCH.size());
  }

  @Test
  void selectsSamplesInAnyOrderAndTwice() {
    Batch chosen = BATCH.select(new int[] {2, 0, 1, 2});
    assertArrayEquals(new int[] {0, 2, 5, 5, 7}, chosen.layout().offsets());
    assertArrayEquals(new int[] {20, 21, 10, 11, 12, 20, 21}, chosen.tokens());
    assertArrayEquals(new int[] {-1, 0, -1, 0, 1, -1, 0}, chosen.layout().turns());
    assertArrayEquals(
        new boolean[] {false, true, false, true, true, false, true}, chosen.layout().mask());
    assertArrayEquals(new double[] {0, 3, 0, 1, 2, 0, 3}, chosen.column(Batch.ADVANTAGES));
    assertArrayEquals(new double[] {-1, 1, 0, -1}, chosen.column(Batch.SCORES));
    assertEquals(List.of("c", "a", "b", "c"), chosen.column(Batch.TAGS));
    assertEquals(0, BATCH.select(new int[0]).size());
  }

  @Test
  void aNewColumnLeavesTheOldBatchAlone() {
    Batch more = BATCH.withColumn(Batch.RETURNS, new double[] {5, 4, 3, 2, 1});
    assertTrue(more.columns().has(Batch.RETURNS));
    assertFalse(BATCH.columns().has(Batch.RETURNS));
    assertNull(BATCH.columnOrNull(Batch.RETURNS));
    assertArrayEquals(BATCH.column(Batch.ADVANTAGES), more.column(Batch.ADVANTAGES));
    Batch replaced = BATCH.withColumn(Batch.SCORES, new double[] {7, 8, 9});
    assertArrayEquals(new double[] {7, 8, 9}, replaced.column(Batch.SCORES));
    assertArrayEquals(new double[] {1, 0, -1}, BATCH.column(Batch.SCORES));
  }

  @Test
  void integersAndKeysAreTyped() {
    Batch states =
        BATCH
            .withColumn(Batch.STATES, new int[] {9, 4, 5, 9, 6})
            .withColumn(Batch.STEPS, new int[] {2, 1, 0});
    Batch chosen = states.select(new int[] {2, 0});
    assertArrayEquals(new int[] {9, 6, 9, 4, 5}, chosen.column(Batch.STATES));
    assertArrayEquals(new int[] {0, 2}, chosen.column(Batch.STEPS));
    assertEquals(Batch.VALUES, ColumnKey.ofTokens("values"));
    assertNotEquals(Batch.VALUES, ColumnKey.ofSamples("values"));
    assertFalse(states.columns().only(List.of(Batch.STEPS)).has(Batch.STATES));
  }

  @Test
  void columnsMustFit() {
    assertThrows(
        IllegalArgumentException.class, () -> BATCH.withColumn(Batch.VALUES, new double[4]));
    assertThrows(
        IllegalArgumentException.class,
        () -> BATCH.withColumn(Batch.RESPONSE_REWARDS, new double[4]));
    assertThrows(IllegalArgumentException.class, () -> BATCH.withColumn(Batch.ENVS, List.of()));
    assertThrows(
        IllegalArgumentException.class, () -> Batch.of(new int[] {0, 2}, new int[3], new int[3]));
    assertThrows(
        IllegalArgumentException.class, () -> Batch.of(new int[] {0, 3}, new int[3], new int[2]));
    assertThrows(NullPointerException.class, () -> BATCH.column(Batch.VALUES));
    assertThrows(NullPointerException.class, () -> BATCH.column(Batch.STEPS));
    assertThrows(NullPointerException.class, () -> BATCH.column(Batch.ENVS));
  }
}
