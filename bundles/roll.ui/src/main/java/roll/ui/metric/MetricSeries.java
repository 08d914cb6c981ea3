package roll.ui.metric;

import java.util.Arrays;

/**
 * The values of one metric by bucket. Buckets without the metric are left out.
 *
 * @param step the first step of each bucket that has the metric
 * @param seconds from the start of the first step to the end of {@code step}: the sum of the times
 *     of all steps
 * @param min NaN where no value is a number
 * @param max NaN where no value is a number
 * @param mean of the values that are numbers
 */
public record MetricSeries(
    int[] step, double[] seconds, double[] min, double[] max, double[] mean) {
  /** Returns a metric series without buckets. */
  static MetricSeries empty() {
    return new MetricSeries(new int[0], new double[0], new double[0], new double[0], new double[0]);
  }

  /** Returns the number of buckets of the series. */
  public int size() {
    return step.length;
  }

  /** Groups steps into buckets whose bounds do not move when the range grows a little. */
  static final class Builder {
    private final int group;
    private int size;
    private int current = -1;
    private final int[] step;
    private final double[] seconds;
    private final double[] min;
    private final double[] max;
    private final double[] sum;
    private final int[] count;

    /** At most {@code points} buckets of the steps {@code begin} to {@code end}. */
    Builder(int begin, int end, int points) {
      int grouped = Math.ceilDiv(end - begin + 1, points);
      while (end / grouped - begin / grouped + 1 > points) {
        grouped++;
      }
      group = grouped;
      int room = end / group - begin / group + 1;
      step = new int[room];
      seconds = new double[room];
      min = new double[room];
      max = new double[room];
      sum = new double[room];
      count = new int[room];
      Arrays.fill(min, Double.NaN);
      Arrays.fill(max, Double.NaN);
    }

    /**
     * Adds the value of a step, NaN for one that is not a number. Steps come in ascending order.
     */
    void add(int at, double elapsed, double value) {
      if (at / group != current) {
        current = at / group;
        step[size] = at;
        seconds[size] = elapsed;
        size++;
      }
      if (!Double.isNaN(value)) {
        int i = size - 1;
        min[i] = count[i] == 0 ? value : Math.min(min[i], value);
        max[i] = count[i] == 0 ? value : Math.max(max[i], value);
        sum[i] += value;
        count[i]++;
      }
    }

    /** Returns the series of the added values. */
    MetricSeries build() {
      double[] mean = new double[size];
      for (int i = 0; i < size; i++) {
        mean[i] = sum[i] / count[i]; // NaN without values
      }
      return new MetricSeries(
          Arrays.copyOf(step, size),
          Arrays.copyOf(seconds, size),
          Arrays.copyOf(min, size),
          Arrays.copyOf(max, size),
          mean);
    }
  }
}
