package roll.image;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.data.RandomStreams;

class ResamplingTest {
  private static RgbPicture picture(int width, int height, int... red) {
    return new RgbPicture(
        width, height, new int[][] {red, new int[red.length], new int[red.length]});
  }

  @Test
  void twoPixelsBecomeOne() {
    // center 1, filter twice as wide: both pixels are 1/4 away, so each counts one half
    int[] one = Resampling.BICUBIC.resize(picture(2, 1, 10, 21), 1, 1).planes()[0];
    assertArrayEquals(new int[] {16}, one); // 15.5 is rounded up
  }

  /** Twice as wide: distances 1/4, 3/4, 5/4, 7/4 weigh 0.8672, 0.2266, −0.0703, −0.0234. */
  @Test
  void fourPixelsBecomeEight() {
    int[] wide = Resampling.BICUBIC.resize(picture(4, 1, 0, 0, 100, 100), 8, 1).planes()[0];
    // at 1.75: pixels 0.5, 1.5, 2.5, 3.5 are 1.25, 0.25, 0.75, 1.75 away
    double expected = 100 * (0.2265625 - 0.0234375);
    assertTrue(Math.abs(wide[3] - expected) <= 0.5, Arrays.toString(wide));
    assertTrue(Math.abs(wide[4] - (100 - expected)) <= 0.5, Arrays.toString(wide));
    // overshooting below 0 is cut
    assertTrue(wide[2] == 0, Arrays.toString(wide));
  }

  @Test
  void oneColorStaysItself() {
    int[] same = new int[35];
    Arrays.fill(same, 201);
    int[] resized = Resampling.BICUBIC.resize(picture(7, 5, same), 28, 3).planes()[0];
    assertTrue(Arrays.stream(resized).allMatch(level -> level == 201));
  }

  /** A rounding to integers has a mean square of 1/12; here are two. */
  @ParameterizedTest
  @CsvSource({"17, 23, 28, 28", "60, 40, 28, 56", "31, 64, 56, 28", "9, 9, 84, 28"})
  void agreesWithTheDefinition(int width, int height, int newWidth, int newHeight) {
    RandomGenerator random = RandomStreams.of(width, "picture");
    int[] red = random.ints((long) width * height, 0, 256).toArray();
    int[][] rows = new int[height][];
    for (int y = 0; y < height; y++) {
      rows[y] = Arrays.copyOfRange(red, y * width, (y + 1) * width);
    }
    int[] found =
        Resampling.BICUBIC.resize(picture(width, height, red), newWidth, newHeight).planes()[0];
    double[][] right = SlowResampling.resize(rows, newHeight, newWidth);
    double squares = 0;
    for (int i = 0; i < found.length; i++) {
      double difference = found[i] - right[i / newWidth][i % newWidth];
      squares += difference * difference;
    }
    assertTrue(squares / found.length < 0.25, "mean square " + squares / found.length);
  }
}
