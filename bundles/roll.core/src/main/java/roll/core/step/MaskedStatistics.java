package roll.core.step;

/** Statistics over the token positions of a mask. */
final class MaskedStatistics {
  private MaskedStatistics() {}

  /** The unbiased variance over the mask; 0 where fewer than two positions are in it. */
  static double variance(double[] x, boolean[] mask) {
    long n = 0;
    double mean = 0;
    double squares = 0;
    for (int t = 0; t < x.length; t++) {
      if (mask[t]) { // Welford 1962
        n++;
        double delta = x[t] - mean;
        mean += delta / n;
        squares += delta * (x[t] - mean);
      }
    }
    return n > 1 ? squares / (n - 1) : 0;
  }

  /** Sets positions outside the mask to 0. */
  static void clear(double[] x, boolean[] mask) {
    for (int t = 0; t < x.length; t++) {
      if (!mask[t]) {
        x[t] = 0;
      }
    }
  }

  /**
   * Clamps the positions of the mask to ±{@code bound}; gives the share of them that were outside.
   */
  static double clip(double[] x, boolean[] mask, double bound) {
    long outside = 0;
    long n = 0;
    for (int t = 0; t < x.length; t++) {
      if (mask[t]) {
        n++;
        if (Math.abs(x[t]) > bound) {
          outside++;
          x[t] = Math.clamp(x[t], -bound, bound);
        }
      }
    }
    return n == 0 ? 0 : (double) outside / n;
  }
}
