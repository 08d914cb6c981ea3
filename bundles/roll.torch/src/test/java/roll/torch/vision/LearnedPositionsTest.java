package roll.torch.vision;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import roll.api.image.ImageGrid;
import roll.testkit.SmallVisionDecoder;

/** By hand: three by three learned positions, numbered by row. */
final class LearnedPositionsTest {
  private static LearnedPositions of(ImageGrid... grids) {
    return LearnedPositions.of(SmallVisionDecoder.DEEP_TOWER, List.of(grids));
  }

  private static void assertPatch(
      long[] corners, double[] shares, LearnedPositions positions, int patch) {
    int count = positions.corners().length / 4;
    for (int corner = 0; corner < 4; corner++) {
      assertEquals(corners[corner], positions.corners()[corner * count + patch]);
      assertEquals(shares[corner], positions.shares()[corner * count + patch], 1e-6);
    }
  }

  /** Patches are at 0, 2/3, 4/3 and 2 in both directions; those of a square are adjacent. */
  @Test
  void patchesBetweenPositionsAreInterpolated() {
    LearnedPositions positions = of(new ImageGrid(1, 4, 4));
    assertPatch(new long[] {0, 1, 3, 4}, new double[] {1, 0, 0, 0}, positions, 0);
    assertPatch(new long[] {0, 1, 3, 4}, new double[] {1 / 3.0, 2 / 3.0, 0, 0}, positions, 1);
    assertPatch(
        new long[] {0, 1, 3, 4}, new double[] {1 / 9.0, 2 / 9.0, 2 / 9.0, 4 / 9.0}, positions, 3);
    assertPatch(new long[] {1, 2, 4, 5}, new double[] {2 / 3.0, 1 / 3.0, 0, 0}, positions, 4);
    assertPatch(new long[] {8, 8, 8, 8}, new double[] {1, 0, 0, 0}, positions, 15);
  }

  /** The second picture has two rows, the first and the last of the learned ones. */
  @Test
  void everyPictureHasTheWholeSquare() {
    LearnedPositions positions = of(new ImageGrid(1, 2, 2), new ImageGrid(1, 2, 4));
    assertPatch(new long[] {2, 2, 5, 5}, new double[] {1, 0, 0, 0}, positions, 1);
    assertPatch(new long[] {0, 1, 3, 4}, new double[] {1, 0, 0, 0}, positions, 4);
    assertPatch(new long[] {7, 8, 7, 8}, new double[] {2 / 3.0, 1 / 3.0, 0, 0}, positions, 4 + 6);
  }

  /** Frames have the same positions. */
  @Test
  void framesAreAlike() {
    LearnedPositions positions = of(new ImageGrid(2, 2, 2));
    assertArrayEquals(new long[] {0, 2, 6, 8, 0, 2, 6, 8}, Arrays.copyOf(positions.corners(), 8));
  }

  @Test
  void otherTowersHaveNone() {
    LearnedPositions none =
        LearnedPositions.of(SmallVisionDecoder.TOWER, List.of(new ImageGrid(1, 4, 4)));
    assertEquals(0, none.corners().length + none.shares().length);
  }
}
