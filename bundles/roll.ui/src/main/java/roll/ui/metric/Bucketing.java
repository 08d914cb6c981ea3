package roll.ui.metric;

import java.util.Arrays;

/** Makes few buckets of many, whose bounds do not move when the range grows a little. */
final class Bucketing {
  private final int group;
  private int size;
  private int current = -1;
  private int[] step;
  private double[] seconds;
  private double[] min;
  private double[] max;
  private double[] sum;
  private long[] count;

  /** At most {@code points} of the buckets {@code begin} to {@code end}. */
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
    count = new long[room];
  }

  /** Adds a bucket that names the metric; they come in ascending order. */
  void add(
      int bucket, int first, double at, int values, double least, double greatest, double all) {
    if (bucket / group != current) {
      current = bucket / group;
      step[size] = first;
      seconds[size] = at;
      min[size] = Double.NaN;
      max[size] = Double.NaN;
      size++;
    }
    if (values > 0) {
      int i = size - 1;
      boolean empty = count[i] == 0;
      min[i] = empty ? least : Math.min(min[i], least);
      max[i] = empty ? greatest : Math.max(max[i], greatest);
      sum[i] += all;
      count[i] += values;
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
