package roll.ui.metric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.ui.ManySteps;

/** A run of many steps opens in under a second. */
@Tag("processes")
class OpeningTimeTest {
  private static final int METRICS = 200;
  private static final long MOST_BYTES = 256 << 20;
  private static final List<String> ASKED =
      List.of(0, 1, 2, 3, 4, 5, 6, 7).stream().map(ManySteps::name).toList();

  @TempDir Path folder;

  /** About 50 MB. Other builds may run; the slow test checks the speed. */
  @Test
  void five_thousand_steps() throws Exception {
    opens(5_000, 10);
  }

  /** About 960 MB. */
  @Test
  @Tag("slow")
  void a_hundred_thousand_steps() throws Exception {
    opens(100_000, 1);
  }

  private void opens(int steps, double most) throws Exception {
    Path file = folder.resolve(MetricFiles.NAME);
    ManySteps.append(file, 0, steps, METRICS);
    System.out.printf("%,d steps of %d metrics: %,d MB%n", steps, METRICS, Files.size(file) >> 20);
    try (MetricFiles small =
        new MetricFiles(MOST_BYTES)) { // classes are loaded, as in a page that runs
      Path other = Files.createDirectories(folder.resolve("other"));
      ManySteps.append(other.resolve(MetricFiles.NAME), 0, 1_000, METRICS);
      var unused = small.of(other).series(ASKED, 0, Integer.MAX_VALUE, 800);
    }
    boolean cold = dropped(file);
    for (String how : new String[] {cold ? "cold" : "warm", "warm"}) {
      try (MetricFiles files = new MetricFiles(MOST_BYTES)) {
        double seconds = open(files);
        System.out.printf("  first answer, %s: %.3f s%n", how, seconds);
        assertTrue(seconds < most, how + ": " + seconds + " s");
        complete(files, steps, how);
      }
    }
  }

  private double open(MetricFiles files) throws Exception {
    long start = System.nanoTime();
    MetricFile.Answer answer = files.of(folder).series(ASKED, 0, Integer.MAX_VALUE, 800);
    double seconds = (System.nanoTime() - start) / 1e9;
    assertTrue(answer.last() > 300, () -> "step " + answer.last());
    MetricSeries series = Objects.requireNonNull(answer.series().get(ASKED.getFirst()));
    assertTrue(series.size() > 60, () -> series.size() + " points");
    assertEquals(answer.last(), series.max()[series.size() - 1]);
    return seconds;
  }

  private void complete(MetricFiles files, int steps, String how) throws Exception {
    long start = System.nanoTime();
    MetricFile metrics = files.of(folder);
    long slowest = 0;
    MetricFile.Answer answer = metrics.series(ASKED, 0, Integer.MAX_VALUE, 800);
    while (!answer.complete()) {
      assertTrue(System.nanoTime() - start < TimeUnit.MINUTES.toNanos(5), "not complete");
      TimeUnit.MILLISECONDS.sleep(200);
      long asked = System.nanoTime();
      answer = metrics.series(ASKED, 0, Integer.MAX_VALUE, 800);
      slowest = Math.max(slowest, System.nanoTime() - asked);
    }
    System.out.printf(
        "  complete, %s: %.1f s later, slowest answer meanwhile %.3f s, then %.3f s, %d MB%n",
        how, (System.nanoTime() - start) / 1e9, slowest / 1e9, open(files), metrics.bytes() >> 20);
    assertEquals(steps - 1, answer.last());
    System.gc();
    Runtime java = Runtime.getRuntime();
    long held = (java.totalMemory() - java.freeMemory()) >> 20;
    System.out.printf("  %d MB of heap in all%n", held);
    assertTrue(held < 300, () -> held + " MB");
    MetricSeries steady = Objects.requireNonNull(answer.series().get(ASKED.getFirst()));
    for (int i = 0; i < steady.size(); i++) { // the value is the step
      double end = i + 1 < steady.size() ? steady.step()[i + 1] - 1 : steps - 1;
      assertEquals(steady.step()[i], steady.min()[i]);
      assertEquals(end, steady.max()[i]);
      assertEquals((steady.step()[i] + end) / 2, steady.mean()[i], 1e-9);
    }
    assertEquals(2.5 * steps, last(steady), 2.5 * steps / 400);
  }

  private static double last(MetricSeries series) {
    return series.seconds()[series.size() - 1];
  }

  /** Drops the file from the page cache; returns false if the system cannot. */
  private static boolean dropped(Path file) throws IOException, InterruptedException {
    try {
      return ran("sync") && ran("dd", "if=" + file, "iflag=nocache", "count=0");
    } catch (IOException e) {
      return false;
    }
  }

  private static boolean ran(String... command) throws IOException, InterruptedException {
    return new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start()
            .waitFor()
        == 0;
  }
}
