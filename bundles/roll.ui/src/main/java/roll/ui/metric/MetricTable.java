package roll.ui.metric;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * The values of all metrics, a row a step, a column a metric. Where they would take more memory
 * than they may, every other row is let go, and the steps that follow are kept as seldom.
 */
final class MetricTable {
  /** Metrics beyond these are left out. */
  static final int MOST_NAMES = 4096;

  private static final int FEWEST_ROWS = 64;
  private static final int BYTES_OF_STEP = Integer.BYTES + Double.BYTES + Long.BYTES;

  /** Where a step does not name the metric; {@link MetricLine} has no infinite values. */
  private static final double ABSENT = Double.POSITIVE_INFINITY;

  private final long mostBytes;
  private final Map<String, double[]> columns = new LinkedHashMap<>();
  private int[] steps = new int[FEWEST_ROWS];

  /** Of all steps up to the end of that of a row. */
  private double[] seconds = new double[FEWEST_ROWS];

  private long[] offsets = new long[FEWEST_ROWS];
  private int rows;
  private int last = -1;
  private double elapsed;
  private long lines;
  private long every = 1;

  /** An empty one that takes some {@code mostBytes} bytes at most. */
  MetricTable(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  /**
   * Adds a line. What an earlier step says anew takes the place of what it said, where its row was
   * kept.
   *
   * @param offset of the line in its file
   */
  void add(MetricLine line, long offset) {
    for (int i = 0; i < line.size(); i++) {
      if (columns.size() < MOST_NAMES && !columns.containsKey(line.name(i))) {
        columns.put(line.name(i), filled(new double[steps.length], 0));
        while (bytes() > mostBytes && halve()) {
          // until the columns have room
        }
      }
    }
    elapsed += line.seconds();
    int row =
        line.step() > last
            ? append(line, offset)
            : Arrays.binarySearch(steps, 0, rows, line.step());
    for (int i = 0; row >= 0 && i < line.size(); i++) {
      double[] column = columns.get(line.name(i));
      if (column != null) {
        column[row] = line.value(i);
      }
    }
  }

  /** The row of a line behind all others; −1 where it is not kept. */
  private int append(MetricLine line, long offset) {
    last = line.step();
    if (rows == steps.length) {
      long more = Math.min(rows / 2 * 3L, mostBytes / bytesOfRow());
      if (more > rows) {
        resize((int) more);
      } else {
        thin();
      }
    }
    if (lines++ % every != 0) {
      return -1;
    }
    steps[rows] = line.step();
    seconds[rows] = elapsed;
    offsets[rows] = offset;
    return rows++;
  }

  /** Makes it half as large; whether that was possible. */
  boolean halve() {
    int half = steps.length / 2;
    if (half < FEWEST_ROWS) {
      return false;
    }
    while (rows > half) {
      thin();
    }
    resize(half);
    return true;
  }

  private void thin() {
    int kept = (rows + 1) / 2;
    for (int i = 0; i < kept; i++) {
      steps[i] = steps[2 * i];
      seconds[i] = seconds[2 * i];
      offsets[i] = offsets[2 * i];
    }
    for (double[] column : columns.values()) {
      for (int i = 0; i < kept; i++) {
        column[i] = column[2 * i];
      }
      filled(column, kept);
    }
    rows = kept;
    every *= 2;
  }

  private void resize(int length) {
    steps = Arrays.copyOf(steps, length);
    seconds = Arrays.copyOf(seconds, length);
    offsets = Arrays.copyOf(offsets, length);
    columns.replaceAll(
        (_, column) -> filled(Arrays.copyOf(column, length), Math.min(column.length, length)));
  }

  private static double[] filled(double[] column, int from) {
    Arrays.fill(column, from, column.length, ABSENT);
    return column;
  }

  /** The names of all metrics, in the order in which the file first has them. */
  Set<String> names() {
    return new LinkedHashSet<>(columns.keySet());
  }

  /** The last step; −1 where there is none. */
  int last() {
    return last;
  }

  /** How many lines in a row one is kept of. */
  long every() {
    return every;
  }

  /** Bytes that it takes. */
  long bytes() {
    return (long) steps.length * bytesOfRow();
  }

  private long bytesOfRow() {
    return BYTES_OF_STEP + (long) Double.BYTES * columns.size();
  }

  /** Where a line begins behind which all those of {@code step} and later are. */
  long offset(int step) {
    int row = row(step);
    return row < rows && steps[row] == step ? offsets[row] : row == 0 ? 0 : offsets[row - 1];
  }

  /** The first row of {@code step} or a later one. */
  private int row(int step) {
    int found = Arrays.binarySearch(steps, 0, rows, step);
    return found < 0 ? -found - 1 : found;
  }

  /**
   * A metric between two steps, inclusive.
   *
   * @param points most buckets, at least 1
   */
  MetricSeries series(String name, int from, int to, int points) {
    double[] column = columns.get(name);
    int begin = Math.max(0, from);
    int end = Math.min(to, last);
    if (column == null || end < begin) {
      return MetricSeries.empty();
    }
    Bucketing buckets = new Bucketing(begin, end, points);
    for (int row = row(begin); row < rows && steps[row] <= end; row++) {
      if (column[row] != ABSENT) {
        buckets.add(steps[row], seconds[row], column[row]);
      }
    }
    return buckets.series();
  }
}
