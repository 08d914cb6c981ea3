package roll.torch.vision;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import roll.api.image.ImageGrid;
import roll.testkit.SmallVisionDecoder;

final class PatchOrderTest {
  private static PatchOrder of(ImageGrid... grids) {
    return PatchOrder.of(SmallVisionDecoder.TOWER, List.of(grids));
  }

  /** By hand: five by three squares, windows of two by two, then a picture of one square. */
  @Test
  void windowsStandByTheirSize() {
    PatchOrder order = of(new ImageGrid(1, 10, 6), new ImageGrid(1, 2, 2));
    assertArrayEquals(
        new long[] {0, 1, 3, 4, 6, 7, 9, 10, 2, 5, 8, 11, 12, 13, 14, 15}, order.squares());
    assertArrayEquals(new long[] {2, 16, 3, 8, 2, 4}, order.windows());
    assertArrayEquals(new long[] {1, 60, 1, 4}, order.wholes());
    assertArrayEquals(new long[] {0, 1, 8, 2, 3, 9}, firstOf(order.places(), 6));
  }

  private static long[] firstOf(long[] all, int count) {
    return Arrays.copyOf(all, count);
  }

  @Test
  void patchesOfASquareStandTogether() {
    PatchOrder order = of(new ImageGrid(1, 4, 4));
    assertArrayEquals(new int[] {0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3}, order.rows());
    assertArrayEquals(new int[] {0, 1, 0, 1, 2, 3, 2, 3, 0, 1, 0, 1, 2, 3, 2, 3}, order.columns());
  }

  /** Pictures of the same size are one call; frames are pictures of their own. */
  @Test
  void samePicturesAreOneRun() {
    assertArrayEquals(
        new long[] {3, 16}, of(new ImageGrid(1, 4, 4), new ImageGrid(2, 4, 4)).wholes());
    assertEquals(12, of(new ImageGrid(3, 4, 4)).squares().length);
  }

  /** A head of eight numbers: two frequencies, by row and by column. */
  @Test
  void rowsAndColumnsTurn() {
    PatchOrder order = of(new ImageGrid(1, 2, 4));
    float[] cos = order.angles(true);
    float[] sin = order.angles(false);
    int patch = 7; // row 1, column 3
    double[] angles = {1, 0.01, 3, 0.03};
    for (int i = 0; i < 4; i++) {
      assertEquals(Math.cos(angles[i]), cos[patch * 4 + i], 1e-6);
      assertEquals(Math.sin(angles[i]), sin[patch * 4 + i], 1e-6);
    }
  }
}
