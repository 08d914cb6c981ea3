package roll.ui.metric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** Compares series with all their values. */
final class SeriesChecks {
  private SeriesChecks() {}

  /**
   * Sees that each bucket has least, greatest and mean of the values from its step to before the
   * next one's, and that all from {@code begin} to {@code end} are in one.
   */
  static void same(
      NavigableMap<Integer, Map<String, Double>> steps,
      String name,
      MetricSeries series,
      int begin,
      int end) {
    TreeMap<Integer, Double> named = new TreeMap<>();
    steps
        .subMap(begin, true, end, true)
        .forEach(
            (step, metrics) -> {
              if (metrics.containsKey(name)) {
                named.put(step, metrics.get(name));
              }
            });
    assertEquals(named.isEmpty(), series.size() == 0, name + " from " + begin + " to " + end);
    if (named.isEmpty()) {
      return;
    }
    assertEquals(named.firstKey(), series.step()[0], name);
    for (int i = 0; i < series.size(); i++) {
      int from = series.step()[i];
      int to = i + 1 < series.size() ? series.step()[i + 1] - 1 : end;
      bucket(named, series, i, from, to);
    }
  }

  private static void bucket(
      NavigableMap<Integer, Double> named, MetricSeries series, int i, int from, int to) {
    assertTrue(named.containsKey(from), () -> "step " + from + " does not name it");
    double min = Double.NaN;
    double max = Double.NaN;
    double sum = 0;
    int count = 0;
    for (double value : named.subMap(from, true, to, true).values()) {
      if (!Double.isNaN(value)) {
        min = count == 0 ? value : Math.min(min, value);
        max = count == 0 ? value : Math.max(max, value);
        sum += value;
        count++;
      }
    }
    String bucket = "from " + from + " to " + to;
    assertEquals(min, series.min()[i], 0.0, bucket);
    assertEquals(max, series.max()[i], 0.0, bucket);
    if (count == 0) {
      assertTrue(Double.isNaN(series.mean()[i]), bucket);
    } else {
      double size = Math.max(Math.abs(min), Math.abs(max));
      assertEquals(sum / count, series.mean()[i], 1e-9 * size + Double.MIN_VALUE, bucket);
    }
  }
}
