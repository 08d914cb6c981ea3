package roll.decoder;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import roll.api.image.ImageGrid;
import roll.api.model.VisionSpec;

class TokenPositionsTest {
  private static final VisionSpec VISION =
      new VisionSpec(9, 8, 1, 8, 2, 8, 3, 2, 14, 2, 112, Set.of());

  private static TokenPositions of(List<ImageGrid> grids, int... tokens) {
    return TokenPositions.of(tokens, VISION, grids);
  }

  /** By hand: two words, a picture of 2 by 3 squares, a word, one of a single square, a word. */
  @Test
  void picturesHaveRowsAndColumns() {
    TokenPositions found =
        of(
            List.of(new ImageGrid(1, 4, 6), new ImageGrid(1, 2, 2)),
            1,
            1,
            9,
            9,
            9,
            9,
            9,
            9,
            1,
            9,
            1);
    assertArrayEquals(new int[] {0, 1, 2, 2, 2, 2, 2, 2, 5, 6, 7}, found.time());
    assertArrayEquals(new int[] {0, 1, 2, 2, 2, 3, 3, 3, 5, 6, 7}, found.height());
    assertArrayEquals(new int[] {0, 1, 2, 3, 4, 2, 3, 4, 5, 6, 7}, found.width());
    assertEquals(8, found.next());
  }

  @Test
  void textAloneCounts() {
    assertArrayEquals(new int[] {0, 1, 2}, of(List.of(), 4, 5, 6).width());
    assertEquals(0, of(List.of()).next());
  }

  @Test
  void twoPicturesMayTouch() {
    ImageGrid one = new ImageGrid(1, 2, 2);
    assertArrayEquals(new int[] {0, 1}, of(List.of(one, one), 9, 9).time());
  }

  @Test
  void placesAndPicturesAreAsMany() {
    ImageGrid two = new ImageGrid(1, 2, 4);
    assertThrows(IllegalArgumentException.class, () -> of(List.of(), 1, 9));
    assertThrows(IllegalArgumentException.class, () -> of(List.of(two), 9));
    assertThrows(IllegalArgumentException.class, () -> of(List.of(two), 9, 1, 9));
    assertThrows(IllegalArgumentException.class, () -> of(List.of(two), 1));
    assertThrows(IllegalArgumentException.class, () -> of(List.of(two), 9, 9, 9));
  }
}
