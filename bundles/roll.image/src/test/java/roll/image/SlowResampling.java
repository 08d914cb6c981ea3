package roll.image;

/**
 * Bicubic resampling by the definition, in f64: each new pixel is the weighted mean of the pixels
 * of its row, then of its column, the weights those of Keys's cubic with a = −1/2, stretched where
 * the picture shrinks. In between and at the end levels are cut to 0 … 255, but not rounded.
 */
final class SlowResampling {
  private SlowResampling() {}

  static double[][] resize(int[][] from, int height, int width) {
    double[][] exact = new double[from.length][from[0].length];
    for (int y = 0; y < from.length; y++) {
      for (int x = 0; x < from[0].length; x++) {
        exact[y][x] = from[y][x];
      }
    }
    return turned(stretched(turned(stretched(exact, width)), height));
  }

  private static double[][] turned(double[][] from) {
    double[][] to = new double[from[0].length][from.length];
    for (int y = 0; y < to.length; y++) {
      for (int x = 0; x < from.length; x++) {
        to[y][x] = from[x][y];
      }
    }
    return to;
  }

  private static double[][] stretched(double[][] from, int width) {
    double[][] to = new double[from.length][width];
    double scale = from[0].length / (double) width;
    for (int y = 0; y < from.length; y++) {
      for (int x = 0; x < width; x++) {
        double sum = 0;
        double weights = 0;
        for (int j = 0; j < from[0].length; j++) {
          double weight = keys((j + 0.5 - (x + 0.5) * scale) / Math.max(1, scale));
          sum += weight * from[y][j];
          weights += weight;
        }
        to[y][x] = Math.clamp(sum / weights, 0, 255);
      }
    }
    return to;
  }

  /** Keys 1981, equation 15. */
  private static double keys(double distance) {
    double s = Math.abs(distance);
    if (s <= 1) {
      return 3 * s * s * s / 2 - 5 * s * s / 2 + 1;
    }
    return s <= 2 ? -s * s * s / 2 + 5 * s * s / 2 - 4 * s + 2 : 0;
  }
}
