package roll.math;

/** Whitens numbers to mean 0 and variance 1. */
public final class Whitening {
  private static final double EPSILON = 1e-8;

  private Whitening() {}

  /**
   * Whitens in place: {@code (x − μ) / √(σ² + 1e-8)} with the unbiased variance over the mask;
   * without effect if it has fewer than two tokens. Numbers outside become 0.
   */
  public static void whiten(double[] x, boolean[] mask) {
    double sum = 0;
    long n = 0;
    for (int t = 0; t < x.length; t++) {
      if (mask[t]) {
        sum += x[t];
        n++;
      }
    }
    double mean = n > 1 ? sum / n : 0;
    double squares = 0;
    for (int t = 0; t < x.length; t++) {
      squares += mask[t] ? (x[t] - mean) * (x[t] - mean) : 0;
    }
    double scale = n > 1 ? 1 / Math.sqrt(squares / (n - 1) + EPSILON) : 1;
    for (int t = 0; t < x.length; t++) {
      x[t] = mask[t] ? (x[t] - mean) * scale : 0;
    }
  }
}
