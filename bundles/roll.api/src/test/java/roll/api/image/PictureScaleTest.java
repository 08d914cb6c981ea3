package roll.api.image;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class PictureScaleTest {
  private final PictureScale scale =
      new PictureScale(new ImageSize(800, 600), new ImageSize(812, 588));

  @Test
  void placesAreOfThePixelTheyLieIn() {
    assertEquals(0, scale.x(0));
    assertEquals(400, scale.x(406));
    assertEquals(799, scale.x(811.5));
    assertEquals(300, scale.y(294));
    assertEquals(599, scale.y(587.5));
  }

  @Test
  void whatIsOutsideStaysOutside() {
    assertEquals(-1, scale.x(-3));
    assertEquals(800, scale.x(812));
    assertEquals(800, scale.x(1e300));
    assertEquals(600, scale.y(600));
  }

  @Test
  void equalSizesChangeNothing() {
    ImageSize size = new ImageSize(28, 56);
    PictureScale one = new PictureScale(size, size);
    assertTrue(one.isOne());
    assertFalse(scale.isOne());
    assertEquals(27, one.x(27));
    assertEquals(55, one.y(55.9));
  }
}
