package roll.ui.metric;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.ui.ManySteps;

/** A file that is too large to be read during a request, or to be kept completely. */
class LargeMetricsTest {
  private static final int STEPS = 60_000;

  @TempDir Path folder;

  private final RandomMetrics random = new RandomMetrics(5);

  private ControlledMetricFile large() throws Exception {
    ControlledMetricFile metrics = new ControlledMetricFile(folder);
    metrics.append(random.more(STEPS));
    assertTrue(Files.size(metrics.path) > 4 << 20, () -> "too small");
    return metrics;
  }

  @Test
  void the_beginning_comes_first_and_all_later() throws Exception {
    ControlledMetricFile metrics = large();
    MetricFile.Answer first = metrics.ask("often", 0, Integer.MAX_VALUE, 200);
    assertFalse(first.complete());
    assertTrue(first.last() > STEPS / 4, () -> "step " + first.last());
    MetricSeries begun = metrics.series("often", 0, first.last(), 200);
    SeriesChecks.same(random.steps, "often", begun, 0, first.last());
    assertTrue(metrics.readOn() > 0);
    int last = random.steps.lastKey();
    MetricFile.Answer all = metrics.ask("often", 0, Integer.MAX_VALUE, 200);
    assertTrue(all.complete());
    assertEquals(last, all.last());
    MetricSeries series = metrics.series("often", 0, Integer.MAX_VALUE, 200);
    SeriesChecks.same(random.steps, "often", series, 0, last);
    MetricSeries narrow = metrics.series("often", last / 2, last / 2 + 99, 100);
    SeriesChecks.same(random.steps, "often", narrow, last / 2, last / 2 + 99);
  }

  @Test
  void what_is_appended_while_it_is_read_is_there() throws Exception {
    ControlledMetricFile metrics = large();
    assertFalse(metrics.ask("often", 0, 9, 9).complete());
    metrics.append(random.more(1_000));
    metrics.readOn();
    assertTrue(metrics.ask("often", 0, 9, 9).complete());
    assertEquals(random.steps.lastKey(), metrics.ask("often", 0, 9, 9).last());
    metrics.append(random.more(1));
    assertEquals(random.steps.lastKey(), metrics.ask("often", 0, 9, 9).last());
  }

  @Test
  void a_line_that_never_ends_is_got_over() throws Exception {
    ControlledMetricFile metrics = new ControlledMetricFile(folder);
    metrics.append(random.more(10) + "x".repeat(9 << 20) + "\n" + random.more(10));
    metrics.ask("often", 0, 9, 9);
    metrics.readOn();
    MetricFile.Answer answer = metrics.ask("often", 0, 9, 9);
    assertTrue(answer.complete());
    assertTrue(answer.broken() > 0);
    assertEquals(random.steps.lastKey(), answer.last());
  }

  /** Three runs, two of which fit: nothing is read repeatedly. */
  @Test
  void runs_that_are_looked_at_together_keep_fewer_steps() throws Exception {
    long most = 1 << 20;
    try (MetricFiles files = new MetricFiles(most)) {
      for (int round = 0; round < 3; round++) {
        for (String run : List.of("a", "b", "c")) {
          Path at = Files.createDirectories(folder.resolve(run));
          ManySteps.append(at.resolve(MetricFiles.NAME), 3_000 * round, 3_000 * round + 3_000, 10);
          MetricFile file = files.of(at);
          assertEquals(3_000 * round + 2_999, file.overview().last());
          assertEquals(0, file.series(List.of("nothing"), 0, 9, 9).broken());
        }
      }
      long bytes = 0;
      for (String run : List.of("a", "b", "c")) {
        bytes += files.of(folder.resolve(run)).bytes();
        assertTrue(files.of(folder.resolve(run)).overview().every() > 1);
      }
      assertTrue(bytes <= most, bytes + " bytes");
    }
  }

  /** No request comes that would make the others keep fewer steps. */
  @Test
  void runs_that_are_read_in_the_background_keep_fewer_steps() throws Exception {
    long most = 1 << 20;
    try (MetricFiles files = new MetricFiles(most)) {
      List<MetricFile> read = new ArrayList<>();
      for (String run : List.of("a", "b", "c")) {
        Path at = Files.createDirectories(folder.resolve(run));
        ManySteps.append(at.resolve(MetricFiles.NAME), 0, 30_000, 10);
        read.add(files.of(at));
      }
      for (MetricFile file : read) {
        assertFalse(file.overview().complete());
      }
      for (MetricFile file : read) {
        await().until(() -> file.overview().complete());
        assertEquals(29_999, file.overview().last());
      }
      await().until(() -> read.stream().mapToLong(MetricFile::bytes).sum() <= most);
    }
  }

  /** The background thread must not loop on the missing part. */
  @Test
  @Timeout(60)
  void a_file_that_is_cut_while_it_is_read_has_an_end() throws Exception {
    ControlledMetricFile metrics = large();
    metrics.append(("x".repeat(1_000) + "\n").repeat(8 << 10));
    assertFalse(metrics.ask("often", 0, 9, 9).complete());
    try (FileChannel channel = FileChannel.open(metrics.path, StandardOpenOption.WRITE)) {
      channel.truncate((4 << 20) + 1_000);
    }
    assertTrue(metrics.readOn() > 0);
    assertTrue(metrics.ask("often", 0, 9, 9).last() < random.steps.lastKey());
  }
}
