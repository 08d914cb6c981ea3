package roll.api.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

/** Samples of two turns, of none and of one; what the mask hides is NaN in columns. */
class LayoutTest {
  private static final double NAN = Double.NaN;
  private static final Layout LAYOUT =
      Layout.ofRows(new int[][] {{0, 1, 1, 0, 1}, {}, {0}, {0, 1, 0}});
  private static final double[] COLUMN = {NAN, 1, 2, NAN, 3, NAN, NAN, 4, NAN};

  @Test
  void whatStandsTogetherIsATurn() {
    assertArrayEquals(new int[] {0, 5, 5, 6, 9}, LAYOUT.offsets());
    assertArrayEquals(new int[] {-1, 0, 0, -1, 1, -1, -1, 0, -1}, LAYOUT.turns());
    assertEquals(4, LAYOUT.samples());
    assertEquals(9, LAYOUT.size());
  }

  @Test
  void loopsSeePolicyTokensOnly() {
    assertArrayEquals(new int[] {1, 2, 4}, LAYOUT.policyTokens(0));
    assertArrayEquals(new int[] {4, 2, 1}, LAYOUT.policyTokensBackwards(0));
    assertArrayEquals(new int[0], LAYOUT.policyTokens(2));
    assertArrayEquals(new int[] {3, 0, 0, 1}, LAYOUT.countBySample());
    assertArrayEquals(new double[] {6, 0, 0, 4}, LAYOUT.sumBySample(COLUMN));
    assertEquals(2.5, LAYOUT.mean(COLUMN));
    assertEquals(0, LAYOUT.select(new int[] {1, 2}).mean(new double[] {NAN}));
    assertArrayEquals(new double[] {0, 2, 4, 0, 6, 0, 0, 8, 0}, LAYOUT.column(t -> 2 * COLUMN[t]));
    assertArrayEquals(
        new double[] {0, 5, 5, 0, 5, 0, 0, 8, 0}, LAYOUT.spread(new double[] {5, 6, 7, 8}));
    assertArrayEquals(new double[] {0, 2.75, 3.5, 0, 3, 0, 0, 4, 0}, LAYOUT.toGo(COLUMN, .5));
  }

  @Test
  void samplesAreChosenInAnyOrder() {
    Layout chosen =
        LAYOUT
            .keeping(new boolean[] {true, true, false, true, true, true, true, true, true})
            .select(new int[] {3, 0, 1});
    assertArrayEquals(new int[] {0, 3, 8, 8}, chosen.offsets());
    assertArrayEquals(new int[] {-1, 0, -1, -1, 0, -1, -1, 1}, chosen.turns());
    assertArrayEquals(
        new boolean[] {false, true, false, false, true, false, false, true}, chosen.mask());
    assertArrayEquals(new int[] {6, 7, 8, 0, 1, 2, 3, 4}, LAYOUT.positions(new int[] {3, 0, 1}));
  }

  @Test
  void partsMustFitTogether() {
    int[] offsets = {0, 2};
    assertThrows(IllegalArgumentException.class, () -> Layout.of(offsets, new int[3]));
    assertThrows(IllegalArgumentException.class, () -> Layout.of(new int[0], new int[0]));
    assertThrows(
        IllegalArgumentException.class, () -> new Layout(offsets, new int[2], new boolean[1]));
  }
}
