package roll.ui.metric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.ui.RunFolderMaker;

/** Min and max of any bucket are those of all its values, for random data and ranges. */
class MetricTableTest {
  private static final int ASKED = 60;
  private static final int BYTES_OF_ROW = 52;

  /** By which memory grows: a block of each of the five metrics. */
  private static final int BLOCKS = 6 << 10;

  private final MetricLine line = new MetricLine();

  private void add(MetricTable table, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    assertTrue(line.read(bytes, 0, bytes.length, _ -> true));
    table.add(line);
  }

  /** A table with a small limit keeps the steps that fit. */
  @ParameterizedTest
  @CsvSource({"1, 1000", "7, 1000", "900, 1000", "20000, 30000", "900, 200", "20000, 300"})
  void buckets_have_all_values(int count, int rows) {
    RandomMetrics random = new RandomMetrics(count);
    MetricTable table = new MetricTable((long) rows * BYTES_OF_ROW);
    random.more(count).lines().forEach(text -> add(table, text));
    int last = random.steps.lastKey();
    assertEquals(last, table.last());
    assertEquals(count > rows, table.every() > 1);
    assertTrue(
        table.bytes() <= (long) rows * BYTES_OF_ROW + BLOCKS, () -> table.bytes() + " bytes");
    NavigableMap<Integer, Map<String, Double>> kept = new TreeMap<>();
    Map<Integer, Double> seconds = new TreeMap<>();
    double elapsed = 0;
    long number = 0;
    for (Map.Entry<Integer, Map<String, Double>> step : random.steps.entrySet()) {
      elapsed += step.getValue().getOrDefault("time/step_total", 0.0);
      seconds.put(step.getKey(), elapsed);
      if (number++ % table.every() == 0) {
        kept.put(step.getKey(), step.getValue());
      }
    }
    assertTrue(count < rows || kept.size() > rows / 4, () -> kept.size() + " steps");
    for (int i = 0; i < ASKED; i++) {
      int from = random.below(last + 1);
      int to = i == 0 ? Integer.MAX_VALUE : from + random.below(last + 1);
      int points = 1 + random.below(1_000);
      for (String name : RandomMetrics.NAMES) {
        MetricSeries series = table.series(name, from, to, points);
        assertTrue(series.size() <= points, () -> series.size() + " of " + points);
        SeriesChecks.same(kept, name, series, from, Math.min(to, last));
        for (int j = 0; j < series.size(); j++) {
          assertEquals(seconds.get(series.step()[j]), series.seconds()[j]);
        }
      }
    }
  }

  @Test
  void as_many_metrics_and_steps_as_there_may_be_take_no_more_memory() {
    long most = 8 << 20;
    MetricTable table = new MetricTable(most);
    StringBuilder all = new StringBuilder("{\"step\":30000,\"metrics\":{\"first\":-1");
    for (int i = 0; i < 5_000; i++) {
      all.append(",\"m").append(i).append("\":").append(i);
    }
    for (int step = 0; step < 30_000; step++) {
      add(table, RunFolderMaker.line(step, Map.of("first", (double) step)));
    }
    add(table, all + "}}");
    assertEquals(MetricTable.MAX_NAMES, table.names().size());
    assertTrue(table.bytes() <= most, () -> table.bytes() + " bytes");
    assertEquals(30_000, table.last());
    assertEquals(0, table.series("first", 0, 30_000, 9).step()[0]);
  }

  private static long heap() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }

  private MetricTable manyRows(long most) {
    MetricTable table = new MetricTable(most);
    for (int step = 0; step < 600_000; step++) {
      add(table, "{\"step\":" + step + ",\"metrics\":{}}");
    }
    return table;
  }

  /** By the heap, not by what the table says: all metrics that there may be come late. */
  @Test
  void metrics_that_come_after_many_steps_take_no_more_memory() {
    long most = 8 << 20;
    long before = heap();
    MetricTable table = manyRows(most);
    StringBuilder all = new StringBuilder("{\"step\":600000,\"metrics\":{\"first\":-1");
    for (int i = 0; i < 5_000; i++) {
      all.append(",\"m").append(i).append("\":").append(i);
    }
    add(table, all + "}}");
    long held = heap() - before;
    assertTrue(held < 2 * most, () -> held + " bytes");
    assertEquals(600_000, table.last());
  }

  @Test
  void steps_that_are_let_go_leave_the_heap() {
    long before = heap();
    MetricTable table = manyRows(8 << 20);
    while (table.thin()) {
      // until there are few
    }
    long held = heap() - before;
    assertTrue(held < 2 << 20, () -> held + " bytes");
    assertTrue(table.every() > 1);
  }

  /** A file that a run appended to without cutting it. */
  @Test
  void what_a_step_says_again_takes_the_place_of_what_it_said() {
    MetricTable table = new MetricTable(1 << 20);
    for (int step = 0; step < 6; step++) {
      add(table, RunFolderMaker.line(step, Map.of("a", 1.0, "b", 2.0)));
    }
    add(table, RunFolderMaker.line(3, Map.of("a", 5.0)));
    add(table, RunFolderMaker.line(6, Map.of("a", 1.0)));
    assertEquals(7, table.series("a", 0, 9, 9).size());
    assertEquals(5, table.series("a", 0, 9, 9).mean()[3]);
    assertEquals(2, table.series("b", 0, 9, 9).mean()[3]);
  }

  /** A phase that the first steps lack has its place among the others. */
  @Test
  void what_a_step_says_comes_in_the_order_of_its_line() {
    MetricTable table = new MetricTable(1 << 20);
    add(table, "{\"step\":0,\"metrics\":{\"rollout\":1,\"train\":2,\"other\":0}}");
    add(table, "{\"step\":1,\"metrics\":{\"load\":9,\"rollout\":1,\"val\":3,\"train\":null}}");
    add(table, "{\"step\":2,\"metrics\":{\"load\":9,\"rollout\":1,\"val\":3,\"train\":2}}");
    List<String> said = new ArrayList<>();
    table.rows(1, 5, name -> !name.equals("other"), (step, row) -> said.add(step + " " + row));
    assertEquals(
        List.of(
            "1 {load=9.0, rollout=1.0, val=3.0}", "2 {load=9.0, rollout=1.0, val=3.0, train=2.0}"),
        said);
    assertEquals(List.of("rollout", "train", "other", "load", "val"), List.copyOf(table.names()));
  }
}
