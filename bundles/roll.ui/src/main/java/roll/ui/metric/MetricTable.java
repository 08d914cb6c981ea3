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
 * The values of all metrics, a row per step, a column per metric. At the memory limit every other
 * row is dropped, and later steps are kept at the same rate.
 */
final class MetricTable {
  /** Maximum number of metrics; further ones are ignored. */
  static final int MAX_NAMES = 4096;

  private static final int MIN_ROWS = 64;

  private final long maxBytes;
  private final Map<String, MetricColumn> columns = new LinkedHashMap<>();

  /** Names in the order of a line; a name first seen later is after its predecessor. */
  private final List<String> order = new ArrayList<>();

  private int[] steps = new int[MIN_ROWS];

  /** The sum of the times of all steps up to that of a row. */
  private double[] seconds = new double[MIN_ROWS];

  private int rows;
  private int last = -1;
  private double elapsed;
  private long lines;
  private long bytes;
  private long every = 1;

  /** An empty table of about {@code maxBytes} bytes at most. */
  MetricTable(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  /**
   * Adds the values of a metrics line as a row. A line of an earlier step replaces its values, if
   * its row was kept.
   */
  void add(MetricLine line) {
    while (bytes() > maxBytes && thin()) {
      // until it fits
    }
    elapsed += line.seconds();
    int row = line.step() > last ? append(line) : Arrays.binarySearch(steps, 0, rows, line.step());
    for (int i = 0; row >= 0 && i < line.size(); i++) {
      MetricColumn column = columns.get(line.name(i));
      if (column == null && columns.size() < MAX_NAMES) {
        column = new MetricColumn();
        columns.put(line.name(i), column);
        order.add(i == 0 ? 0 : order.indexOf(line.name(i - 1)) + 1, line.name(i));
      }
      if (column != null) {
        bytes -= column.bytes();
        column.set(row, line.value(i));
        bytes += column.bytes();
        while (row >= 0 && bytes() > maxBytes && thin()) {
          row = row % 2 == 0 ? row / 2 : -1; // a single line may exceed the limit
        }
      }
    }
  }

  /** Appends a row for a metrics line; returns −1 if it is not kept. */
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

  /** Drops every other row; returns false if there are too few. */
  boolean thin() {
    if (rows <= MIN_ROWS) {
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

  /** Returns the names of all metrics, in the order of their first occurrence. */
  Set<String> names() {
    return new LinkedHashSet<>(columns.keySet());
  }

  /** Returns the last step; −1 without steps. */
  int last() {
    return last;
  }

  /** Returns the number of metrics lines of which one is kept. */
  long every() {
    return every;
  }

  /** Returns the bytes of the metric values in memory. */
  long bytes() {
    return bytes + (long) rows * (Integer.BYTES + Double.BYTES);
  }

  /**
   * Passes the values of the {@code wanted} metrics for each kept step between two, inclusive:
   * numbers alone, in the order of a line.
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

  /** Returns the first row of {@code step} or a later one. */
  private int row(int step) {
    int found = Arrays.binarySearch(steps, 0, rows, step);
    return found < 0 ? -found - 1 : found;
  }

  /**
   * Returns a metric between two steps, inclusive.
   *
   * @param points the maximum number of buckets, at least 1
   */
  MetricSeries series(String name, int from, int to, int points) {
    MetricColumn column = columns.get(name);
    int begin = Math.max(0, from);
    int end = Math.min(to, last);
    if (column == null || end < begin) {
      return MetricSeries.empty();
    }
    MetricSeries.Builder buckets = new MetricSeries.Builder(begin, end, points);
    for (int row = row(begin); row < rows && steps[row] <= end; row++) {
      double value = column.get(row);
      if (value != MetricColumn.ABSENT) {
        buckets.add(steps[row], seconds[row], value);
      }
    }
    return buckets.build();
  }
}
