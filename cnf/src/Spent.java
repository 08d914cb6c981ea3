import java.util.Locale;

/** Wall and processor seconds. What is not known is NaN, and left out of sums. */
record Spent(double wall, double processor) {
  static final Spent NOTHING = new Spent(Double.NaN, Double.NaN);

  Spent plus(Spent other) {
    return new Spent(sum(wall, other.wall), sum(processor, other.processor));
  }

  /** What is left of this, never less than nothing: classes that run at once add up to more. */
  Spent minus(Spent part) {
    return new Spent(
        Math.max(0, wall - known(part.wall)), Math.max(0, processor - known(part.processor)));
  }

  static String text(double seconds) {
    return Double.isNaN(seconds) ? "-" : String.format(Locale.ROOT, "%.1f", seconds);
  }

  private static double sum(double a, double b) {
    return Double.isNaN(a) ? b : a + known(b);
  }

  private static double known(double seconds) {
    return Double.isNaN(seconds) ? 0 : seconds;
  }
}
