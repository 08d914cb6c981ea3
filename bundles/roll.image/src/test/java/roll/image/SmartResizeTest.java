package roll.image;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static roll.testkit.UserErrors.userError;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.image.ImageSize;

class SmartResizeTest {
  private static final SmartResize RULE = new SmartResize(28, 56 * 56, 28 * 28 * 1280);

  /** Worked from the rule with Python's arithmetic. */
  @ParameterizedTest
  @CsvSource({
    "28, 28, 56, 56",
    "56, 56, 56, 56",
    "1000, 1000, 980, 980",
    "1920, 1080, 1316, 728",
    "1080, 1920, 728, 1316",
    "640, 480, 644, 476",
    "480, 640, 476, 644",
    "800, 600, 812, 588",
    "1024, 768, 1036, 756",
    "4000, 3000, 1148, 840",
    "3000, 4000, 840, 1148",
    "1, 1, 56, 56",
    "14, 14, 56, 56",
    "42, 42, 56, 56",
    "70, 70, 56, 56",
    "98, 126, 112, 112",
    "126, 98, 112, 112",
    "13, 400, 28, 336",
    "400, 13, 336, 28",
    "27, 29, 56, 84",
    "1, 150, 28, 700",
    "200, 1, 812, 28",
    "2000, 10, 812, 28",
    "57, 55, 56, 56",
    "1003, 1004, 980, 980",
    "1004, 1003, 980, 980",
    "3840, 2160, 1316, 728",
    "12000, 9000, 1148, 840",
    "224, 224, 224, 224",
    "336, 448, 336, 448",
    "41, 43, 56, 84",
    "999, 501, 1008, 504",
    "100, 7000, 112, 7000",
    "10000, 60, 9996, 56"
  })
  void sizes(int width, int height, int newWidth, int newHeight) {
    assertEquals(new ImageSize(newWidth, newHeight), RULE.of("a.png", width, height));
  }

  @Test
  void aStripIsRefused() {
    assertEquals(
        "a.png: 201 by 1 pixels: a side may be at most 200 times the other",
        userError(() -> RULE.of("a.png", 201, 1)));
  }

  /** Whatever the shape: whole tokens, within the limits where the shape allows it. */
  @Test
  void areasStayWithinLimits() {
    for (int width : new int[] {1, 27, 99, 640, 2111, 9999}) {
      for (int height : new int[] {7, 28, 333, 1080, 1999}) {
        if (Math.max(width, height) > 200 * Math.min(width, height)) {
          continue;
        }
        ImageSize size = RULE.of("a.png", width, height);
        int[] sides = {size.width(), size.height()};
        assertEquals(0, Arrays.stream(sides).map(side -> side % 28).sum());
        long area = (long) size.width() * size.height();
        assertEquals(area, Math.clamp(area, RULE.minPixels(), RULE.maxPixels()));
      }
    }
  }
}
