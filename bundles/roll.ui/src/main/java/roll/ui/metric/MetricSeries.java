package roll.ui.metric;

/**
 * The values of one metric, bucket after bucket. Buckets that do not name it are left out.
 *
 * @param step the first step of each bucket that names it
 * @param seconds from the beginning of the first step to the end of {@code step}: the times of all
 *     steps together
 * @param min least value; NaN where none is a number
 * @param max greatest
 * @param mean of the values that are numbers
 */
public record MetricSeries(
    int[] step, double[] seconds, double[] min, double[] max, double[] mean) {
  /** None. */
  static MetricSeries empty() {
    return new MetricSeries(new int[0], new double[0], new double[0], new double[0], new double[0]);
  }

  /** How many buckets. */
  public int size() {
    return step.length;
  }
}
