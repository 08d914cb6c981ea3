package roll.ui.metric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file that is too large to be read while somebody waits. */
class LargeMetricsTest {
  private static final int STEPS = 60_000;

  @TempDir Path folder;

  private final RandomMetrics random = new RandomMetrics(5);

  private SomeMetrics large() throws Exception {
    SomeMetrics metrics = new SomeMetrics(folder);
    metrics.append(random.more(STEPS));
    assertTrue(Files.size(metrics.path) > 4 << 20, () -> "too small");
    return metrics;
  }

  @Test
  void evenly_spaced_steps_come_first_and_all_later() throws Exception {
    SomeMetrics metrics = large();
    int last = random.steps.lastKey();
    MetricFile.Answer first = metrics.ask("often", 0, Integer.MAX_VALUE, 200);
    assertFalse(first.complete());
    assertEquals(last, first.last());
    MetricSeries sampled = metrics.series("often", 0, Integer.MAX_VALUE, 200);
    assertTrue(sampled.size() > 60, () -> sampled.size() + " points");
    for (int i = 1; i < sampled.size(); i++) {
      int gap = sampled.step()[i] - sampled.step()[i - 1];
      assertTrue(gap < last / 20, () -> "a gap of " + gap + " steps");
    }
    double seconds = sampled.seconds()[sampled.size() - 1];
    double really = SeriesChecks.seconds(random.steps, sampled.step()[sampled.size() - 1]);
    assertEquals(really, seconds, 0.15 * really, "steps that are missing took no time");

    assertTrue(metrics.readOn() > 1);
    MetricFile.Answer all = metrics.ask("often", 0, Integer.MAX_VALUE, 200);
    assertTrue(all.complete());
    assertEquals(last, all.last());
    MetricSeries series = metrics.series("often", 0, Integer.MAX_VALUE, 200);
    SeriesChecks.same(random.steps, "often", series, 0, last);
    assertEquals(
        SeriesChecks.seconds(random.steps, series.step()[150]), series.seconds()[150], 32 * 2.0);
  }

  /** Before all is read, and behind it. */
  @Test
  void a_narrow_range_is_exact_at_once() throws Exception {
    SomeMetrics metrics = large();
    int from = random.steps.floorKey(random.steps.lastKey() / 2);
    for (int round = 0; round < 2; round++) {
      MetricFile.Answer answer = metrics.ask("often", from, from + 99, 100);
      assertEquals(round == 1, answer.complete());
      MetricSeries series = metrics.series("often", from, from + 99, 100);
      SeriesChecks.same(random.steps, "often", series, from, from + 99);
      int most = random.steps.subMap(from, true, from + 99, true).size();
      assertEquals(most, series.size(), "single steps");
      metrics.readOn();
    }
    MetricSeries series = metrics.series("often", from, from + 99, 100);
    assertEquals(SeriesChecks.seconds(random.steps, from), series.seconds()[0], 1e-6);
  }

  @Test
  void what_is_appended_while_it_is_read_is_there() throws Exception {
    SomeMetrics metrics = large();
    assertFalse(metrics.ask("often", 0, 9, 9).complete());
    metrics.append(random.more(1_000));
    metrics.readOn();
    assertTrue(metrics.ask("often", 0, 9, 9).complete());
    assertEquals(random.steps.lastKey(), metrics.ask("often", 0, 9, 9).last());
    metrics.append(random.more(1));
    assertEquals(random.steps.lastKey(), metrics.ask("often", 0, 9, 9).last());
  }

  @Test
  void an_index_is_kept_until_its_file_changes() throws Exception {
    Path cache = folder.resolve("cache");
    IndexStore store = new IndexStore(cache, 1 << 20, Duration.ZERO);
    SomeMetrics metrics = new SomeMetrics(folder, store);
    metrics.append(random.more(STEPS));
    Thread.sleep(20); // longer ago than no time
    assertFalse(metrics.ask("often", 0, 9, 9).complete());
    metrics.readOn();
    MetricSeries read = metrics.series("often");

    SomeMetrics again = new SomeMetrics(folder, store);
    assertTrue(again.ask("often", 0, 9, 9).complete(), "it is there at once");
    MetricSeries kept = again.series("often");
    assertEquals(listed(read), listed(kept));
    assertEquals(metrics.file.overview().names(), again.file.overview().names());
    again.append(random.more(1));
    assertEquals(random.steps.lastKey(), again.ask("often", 0, 9, 9).last());

    assertFalse(new SomeMetrics(folder, store).ask("often", 0, 9, 9).complete());
  }

  @Test
  void a_damaged_index_is_not_used() throws Exception {
    Path cache = folder.resolve("cache");
    IndexStore store = new IndexStore(cache, 1 << 20, Duration.ZERO);
    SomeMetrics metrics = new SomeMetrics(folder, store);
    metrics.append(random.more(STEPS));
    Thread.sleep(20);
    assertFalse(metrics.ask("often", 0, 9, 9).complete());
    metrics.readOn();
    List<Path> kept;
    try (var files = Files.list(cache)) {
      kept = files.toList();
    }
    assertEquals(1, kept.size());
    byte[] bytes = Files.readAllBytes(kept.getFirst());
    for (int at : new int[] {bytes.length / 2, 30, bytes.length - 1}) {
      byte[] damaged = bytes.clone();
      damaged[at] ^= 0x55;
      assertNotEquals(bytes[at], damaged[at]);
      Files.write(kept.getFirst(), damaged);
      assertFalse(new SomeMetrics(folder, store).ask("often", 0, 9, 9).complete());
    }
  }

  private static List<List<Double>> listed(MetricSeries series) {
    List<List<Double>> all = new ArrayList<>();
    for (double[] values : List.of(series.seconds(), series.min(), series.max(), series.mean())) {
      List<Double> list = new ArrayList<>();
      for (double value : values) {
        list.add(value);
      }
      all.add(list);
    }
    return all;
  }
}
