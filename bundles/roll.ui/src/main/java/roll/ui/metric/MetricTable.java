package roll.ui.metric;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/**
 * The values of all metrics, a row a step, a column a metric. Where they would take more memory
 * than they may, every other row is let go, and the steps that follow are kept as seldom.
 */
final class MetricTable {
  /** Metrics beyond these are left out. */
  static final int MOST_NAMES = 4096;

  private static final int FEWEST_ROWS = 64;

  private final long mostBytes;
  private final Map<String, MetricColumn> columns = new LinkedHashMap<>();

  /** Names as lines have them one behind the other, whichever line had them first. */
  private final List<String> order = new ArrayList<>();

  private int[] steps = new int[FEWEST_ROWS];

  /** Of all steps up to the end of that of a row. */
  private double[] seconds = new double[FEWEST_ROWS];

  private int rows;
  private int last = -1;
  private double elapsed;
  private long lines;
  private long bytes;
  private long every = 1;

  /** An empty one that takes some {@code mostBytes} bytes at most. */
  MetricTable(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  /**
   * Adds a line. What an earlier step says anew takes the place of what it said, where its row was
   * kept.
   */
  void add(MetricLine line) {
    while (bytes() > mostBytes && halve()) {
      // until there is room
    }
    elapsed += line.seconds();
    int row = line.step() > last ? append(line) : Arrays.binarySearch(steps, 0, rows, line.step());
    for (int i = 0; row >= 0 && i < line.size(); i++) {
      MetricColumn column = columns.get(line.name(i));
      if (column == null && columns.size() < MOST_NAMES) {
        column = new MetricColumn();
        columns.put(line.name(i), column);
        order.add(i == 0 ? 0 : order.indexOf(line.name(i - 1)) + 1, line.name(i));
      }
      if (column != null) {
        bytes -= column.bytes();
        column.set(row, line.value(i));
        bytes += column.bytes();
        while (row >= 0 && bytes() > mostBytes && halve()) {
          row = row % 2 == 0 ? row / 2 : -1; // one line alone may take more than there is room for
        }
      }
    }
  }

  /** The row of a line behind all others; −1 where it is not kept. */
  private int append(MetricLine line) {
    last = line.step();
    if (lines++ % every != 0) {
      return -1;
    }
    if (rows == steps.length) {
      steps = Arrays.copyOf(steps, rows / 2 * 3);
      seconds = Arrays.copyOf(seconds, rows / 2 * 3);
    }
    steps[rows] = line.step();
    seconds[rows] = elapsed;
    return rows++;
  }

  /** Lets every other row go; whether there are so many. */
  boolean halve() {
    if (rows <= FEWEST_ROWS) {
      return false;
    }
    int before = rows;
    rows = (before + 1) / 2;
    for (int i = 0; i < rows; i++) {
      steps[i] = steps[2 * i];
      seconds[i] = seconds[2 * i];
    }
    steps = Arrays.copyOf(steps, rows);
    seconds = Arrays.copyOf(seconds, rows);
    columns.replaceAll((_, column) -> column.thinned(before));
    bytes = columns.values().stream().mapToLong(MetricColumn::bytes).sum();
    every *= 2;
    return true;
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

  /** Bytes that its values take. */
  long bytes() {
    return bytes + (long) rows * (Integer.BYTES + Double.BYTES);
  }

  /**
   * Gives what the steps that are kept between two, inclusive, say of the metrics that are {@code
   * wanted}: numbers alone, in the order of a line.
   */
  void rows(
      int from, int to, Predicate<String> wanted, BiConsumer<Integer, Map<String, Double>> taker) {
    List<String> names = order.stream().filter(wanted).toList();
    for (int row = row(from); row < rows && steps[row] <= to; row++) {
      Map<String, Double> values = new LinkedHashMap<>();
      for (String name : names) {
        MetricColumn column = columns.get(name);
        if (column != null && Double.isFinite(column.get(row))) {
          values.put(name, column.get(row));
        }
      }
      taker.accept(steps[row], values);
    }
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
    MetricColumn column = columns.get(name);
    int begin = Math.max(0, from);
    int end = Math.min(to, last);
    if (column == null || end < begin) {
      return MetricSeries.empty();
    }
    Bucketing buckets = new Bucketing(begin, end, points);
    for (int row = row(begin); row < rows && steps[row] <= end; row++) {
      double value = column.get(row);
      if (value != MetricColumn.ABSENT) {
        buckets.add(steps[row], seconds[row], value);
      }
    }
    return buckets.series();
  }
}
