package roll.ui.metric;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.ui.RunFolderMaker;

/** A file that is appended to, truncated, replaced, removed, or broken. */
class FollowedMetricsTest {
  @TempDir Path folder;

  private static String line(int step, double value) {
    return RunFolderMaker.line(step, Map.of("a", value));
  }

  private static String lines(int from, int to) {
    StringBuilder lines = new StringBuilder();
    for (int step = from; step < to; step++) {
      lines.append(line(step, step));
    }
    return lines.toString();
  }

  private static void assertSteps(int last, MetricSeries series) {
    assertEquals(last, series.size() - 1);
    for (int i = 0; i < series.size(); i++) {
      assertEquals(i, series.step()[i]);
      assertEquals(i, series.mean()[i]);
    }
  }

  @Test
  void what_is_appended_appears() throws Exception {
    ControlledMetricFile metrics = new ControlledMetricFile(folder);
    assertEquals(-1, metrics.ask("a", 0, 9, 9).last());
    for (int step = 0; step < 20; step++) {
      metrics.append(line(step, step));
      assertSteps(step, metrics.series("a"));
    }
    assertEquals(List.of("a"), List.copyOf(metrics.file.overview().names()));
  }

  @Test
  void a_line_counts_when_it_is_finished() throws Exception {
    ControlledMetricFile metrics = new ControlledMetricFile(folder);
    metrics.append(lines(0, 3) + "{\"step\":3,\"metr");
    assertSteps(2, metrics.series("a"));
    metrics.append("ics\":{\"a\":3}");
    assertSteps(2, metrics.series("a"));
    metrics.append("}\n");
    assertSteps(3, metrics.series("a"));
    assertEquals(0, metrics.ask("a", 0, 9, 9).broken());
  }

  @Test
  void a_resume_that_shortens_the_file_is_followed() throws Exception {
    RunFolderMaker run = RunFolderMaker.in(folder);
    ControlledMetricFile metrics = new ControlledMetricFile(folder);
    metrics.append(lines(0, 10));
    assertSteps(9, metrics.series("a"));
    run.cutBackTo(4);
    assertSteps(3, metrics.series("a"));
    metrics.append(line(4, 4));
    assertSteps(4, metrics.series("a"));
  }

  /** No request comes between the truncation and the new lines. */
  @Test
  void a_resume_is_followed_that_nobody_saw() throws Exception {
    RunFolderMaker run = RunFolderMaker.in(folder);
    ControlledMetricFile metrics = new ControlledMetricFile(folder);
    metrics.append(lines(0, 6) + line(6, -1) + line(7, -1));
    assertEquals(-1, metrics.series("a").min()[7]);
    run.cutBackTo(6);
    metrics.append(lines(6, 20));
    assertSteps(19, metrics.series("a"));
  }

  /** The file stays the same one for the system. */
  @Test
  void a_cut_in_place_is_followed() throws Exception {
    ControlledMetricFile metrics = new ControlledMetricFile(folder);
    metrics.append(lines(0, 6) + line(6, -1) + line(7, -1));
    assertEquals(8, metrics.series("a").size());
    try (FileChannel channel = FileChannel.open(metrics.path, StandardOpenOption.WRITE)) {
      channel.truncate(lines(0, 6).length());
    }
    metrics.append(lines(6, 20));
    assertSteps(19, metrics.series("a"));
  }

  @Test
  void another_file_in_its_place_is_read_anew() throws Exception {
    ControlledMetricFile metrics = new ControlledMetricFile(folder);
    metrics.append(lines(0, 6));
    assertSteps(5, metrics.series("a"));
    Path other = Files.writeString(folder.resolve("other"), lines(0, 9));
    Files.move(other, metrics.path, StandardCopyOption.REPLACE_EXISTING);
    assertSteps(8, metrics.series("a"));
    Files.delete(metrics.path);
    assertEquals(-1, metrics.ask("a", 0, 9, 9).last());
    assertEquals(0, metrics.series("a").size());
    metrics.append(lines(0, 2));
    assertSteps(1, metrics.series("a"));
  }

  @Test
  void a_link_is_no_file_of_metrics() throws Exception {
    Path other = Files.writeString(folder.resolve("other"), lines(0, 9));
    ControlledMetricFile metrics = new ControlledMetricFile(folder);
    Files.createSymbolicLink(metrics.path, other);
    assertEquals(-1, metrics.ask("a", 0, 9, 9).last());
  }

  @Test
  void broken_lines_are_counted_and_passed_over() throws Exception {
    ControlledMetricFile metrics = new ControlledMetricFile(folder);
    metrics.append(line(0, 0) + "nonsense\n" + line(1, 1) + "{\"step\":-2,\"metrics\":{}}\n");
    metrics.append("{\"step\":2}\n[1]\n\n{\"step\":2,\"metrics\":{\"a\":2}} x\n" + line(2, 2));
    MetricFile.Answer answer = metrics.ask("a", 0, 9, 9);
    assertEquals(5, answer.broken());
    assertSteps(2, metrics.series("a"));
    assertEquals(5, metrics.file.overview().broken());
  }

  /** A value that is no number leaves its step without one; it never becomes 0. */
  @Test
  void what_is_no_number_stays_none() throws Exception {
    ControlledMetricFile metrics = new ControlledMetricFile(folder);
    metrics.append(
        line(0, Double.NaN)
            + "{\"step\":1,\"metrics\":{\"a\":NaN}}\n"
            + "{\"step\":2,\"metrics\":{\"a\":-Infinity}}\n"
            + "{\"step\":3,\"metrics\":{\"a\":{\"b\":1},\"c\":[1]}}\n"
            + line(4, 0)
            + line(5, Double.NaN));
    MetricSeries series = metrics.series("a");
    assertArrayEquals(new int[] {0, 1, 2, 4, 5}, series.step());
    double none = Double.NaN;
    assertArrayEquals(new double[] {none, none, none, 0, none}, series.min());
    assertArrayEquals(new double[] {none, none, none, 0, none}, series.max());
    assertArrayEquals(new double[] {none, none, none, 0, none}, series.mean());
    MetricSeries pairs = metrics.series("a", 0, 5, 2);
    assertArrayEquals(new double[] {none, 0}, pairs.mean());
    assertTrue(Double.isNaN(pairs.min()[0]), "two steps without a number have none together");
  }

  @Test
  void seconds_are_the_times_of_the_steps_together() throws Exception {
    ControlledMetricFile metrics = new ControlledMetricFile(folder);
    for (int step = 0; step < 3; step++) {
      metrics.append(RunFolderMaker.line(step, Map.of("a", 1.0, "time/step_total", 2.5)));
    }
    metrics.append(
        RunFolderMaker.line(3, Map.of("a", 1.0, "time/step_val", 1.5, "time/step_log", 0.5)));
    assertArrayEquals(new double[] {2.5, 5, 7.5, 9.5}, metrics.series("a").seconds());
  }
}
