package roll.image;

import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;

/**
 * Resizes pictures as {@code resize} of Pillow does (src/libImaging/Resample.c): first along the
 * rows, then along the columns, each time rounded to integers, with fixed-point weights. For
 * shrinking, the filter is widened by the same factor.
 *
 * @param filter weight by distance, in pixels of the larger picture
 * @param support distance beyond which it is 0
 */
record Resampling(DoubleUnaryOperator filter, double support) {
  /** Cubic convolution with a = −1/2 (Keys 1981, equation 15). */
  static final Resampling BICUBIC = new Resampling(Resampling::cubic, 2);

  /** Linear interpolation filter for resizing pictures. */
  static final Resampling BILINEAR = new Resampling(x -> Math.max(0, 1 - Math.abs(x)), 1);

  /** Fractional bits: of 32, 8 are for the value and 2 for overshoot. */
  private static final int PRECISION = 22;

  private static final int HALF = 1 << (PRECISION - 1);

  private static double cubic(double distance) {
    double x = Math.abs(distance);
    if (x < 1) {
      return (1.5 * x - 2.5) * x * x + 1;
    }
    return x < 2 ? ((-0.5 * x + 2.5) * x - 4) * x + 2 : 0;
  }

  /** Returns {@code picture} resized to another size. */
  RgbPicture resize(RgbPicture picture, int width, int height) {
    int[][] planes = new int[RgbPicture.CHANNELS][];
    for (int c = 0; c < planes.length; c++) {
      int[] plane = picture.planes()[c];
      if (width != picture.width()) {
        plane = rows(plane, picture.width(), picture.height(), width);
      }
      if (height != picture.height()) {
        plane = columns(plane, width, picture.height(), height);
      }
      planes[c] = plane;
    }
    return new RgbPicture(width, height, planes);
  }

  /** The source pixels of a new pixel and their weights. */
  private record Taps(int first, int[] weights) {}

  private Taps[] taps(int from, int to) {
    Taps[] taps = new Taps[to];
    double scale = from / (double) to;
    double wide = Math.max(1, scale);
    double reach = support * wide;
    for (int i = 0; i < to; i++) {
      double center = (i + 0.5) * scale;
      int first = Math.max(0, (int) (center - reach + 0.5));
      int end = Math.min(from, (int) (center + reach + 0.5));
      double[] weights = new double[end - first];
      double sum = 0;
      for (int k = 0; k < weights.length; k++) {
        weights[k] = filter.applyAsDouble((k + first - center + 0.5) / wide);
        sum += weights[k];
      }
      int[] fixed = new int[weights.length];
      for (int k = 0; k < fixed.length; k++) {
        double weight = weights[k] / sum * (1 << PRECISION);
        fixed[k] = (int) (weight + Math.copySign(0.5, weight));
      }
      taps[i] = new Taps(first, fixed);
    }
    return taps;
  }

  private int[] rows(int[] plane, int from, int height, int to) {
    int[] result = new int[to * height];
    Taps[] taps = taps(from, to);
    for (int y = 0; y < height; y++) {
      int row = y * from;
      for (int x = 0; x < to; x++) {
        int[] weights = taps[x].weights;
        int at = row + taps[x].first;
        int sum = HALF;
        for (int k = 0; k < weights.length; k++) {
          sum += plane[at + k] * weights[k];
        }
        result[y * to + x] = clip(sum >> PRECISION);
      }
    }
    return result;
  }

  /** Resizes along the columns, whole rows at a time, which the compiler vectorizes. */
  private int[] columns(int[] plane, int width, int from, int to) {
    int[] result = new int[width * to];
    int[] sums = new int[width];
    Taps[] taps = taps(from, to);
    for (int y = 0; y < to; y++) {
      Arrays.fill(sums, HALF);
      int[] weights = taps[y].weights;
      for (int k = 0; k < weights.length; k++) {
        add(sums, plane, (taps[y].first + k) * width, weights[k]);
      }
      for (int x = 0; x < width; x++) {
        result[y * width + x] = clip(sums[x] >> PRECISION);
      }
    }
    return result;
  }

  private static void add(int[] sums, int[] plane, int at, int weight) {
    for (int x = 0; x < sums.length; x++) {
      sums[x] += plane[at + x] * weight;
    }
  }

  private static int clip(int level) {
    return Math.clamp(level, 0, 255);
  }
}
