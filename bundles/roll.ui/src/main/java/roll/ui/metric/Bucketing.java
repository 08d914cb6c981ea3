package roll.ui.metric;

import java.util.Arrays;

/** Makes few buckets of many steps, whose bounds do not move when the range grows a little. */
final class Bucketing {
  private final int group;
  private int size;
  private int current = -1;
  private final int[] step;
  private final double[] seconds;
  private final double[] min;
  private final double[] max;
  private final double[] sum;
  private final int[] count;

  /** At most {@code points} of the steps {@code begin} to {@code end}. */
  Bucketing(int begin, int end, int points) {
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
  }

  /** Adds the value of a step; NaN is none, but names the metric. Steps come in ascending order. */
  void add(int at, double elapsed, double value) {
    if (at / group != current) {
      current = at / group;
      step[size] = at;
      seconds[size] = elapsed;
      min[size] = Double.NaN;
      max[size] = Double.NaN;
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

  /** What was added. */
  MetricSeries series() {
    double[] mean = new double[size];
    for (int i = 0; i < size; i++) {
      mean[i] = count[i] == 0 ? Double.NaN : sum[i] / count[i];
    }
    return new MetricSeries(
        Arrays.copyOf(step, size),
        Arrays.copyOf(seconds, size),
        Arrays.copyOf(min, size),
        Arrays.copyOf(max, size),
        mean);
  }
}
