package roll.ui.metric;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.ui.ManySteps;

/** Several pages request series while the file is read in the background and grows. */
class ManyAskTest {
  private static final int PAGES = 8;
  private static final int STEPS = 40_000;
  private static final int MORE = 200;

  @TempDir Path folder;

  private final AtomicBoolean ended = new AtomicBoolean();

  @Test
  @Timeout(60)
  void every_answer_is_right() throws Exception {
    Path file = folder.resolve(MetricFiles.NAME);
    ManySteps.append(file, 0, STEPS, 10);
    try (MetricFiles files = new MetricFiles();
        ExecutorService pages = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Integer>> asked = new ArrayList<>();
      for (int page = 0; page < PAGES; page++) {
        asked.add(pages.submit(page(files, page)));
      }
      for (int step = STEPS; step < STEPS + MORE; step++) {
        ManySteps.append(file, step, step + 1, 10);
        Thread.sleep(2);
      }
      MetricFile.Answer last =
          await()
              .atMost(Duration.ofMinutes(1))
              .until(
                  () -> files.of(folder).series(List.of(ManySteps.name(0)), 0, 9, 9),
                  MetricFile.Answer::complete);
      ended.set(true);
      for (Future<Integer> page : asked) {
        assertTrue(page.get() > 0, "no answer");
      }
      assertEquals(STEPS + MORE - 1, last.last());
    }
  }

  private Callable<Integer> page(MetricFiles files, int page) {
    return () -> {
      int answers = 0;
      int before = -1;
      while (!ended.get()) {
        int from = page % 2 == 0 ? 0 : STEPS - 500;
        MetricFile.Answer answer =
            files.of(folder).series(List.of(ManySteps.name(0)), from, Integer.MAX_VALUE, 800);
        MetricSeries series = Objects.requireNonNull(answer.series().get(ManySteps.name(0)));
        for (int i = 0; i < series.size(); i++) { // the value is the step
          int end = i + 1 < series.size() ? series.step()[i + 1] - 1 : answer.last();
          assertEquals(series.step()[i], series.min()[i]);
          assertTrue(series.max()[i] <= end && series.max()[i] >= series.min()[i]);
          assertTrue(!answer.complete() || series.max()[i] == end, "a value is missing");
        }
        assertTrue(answer.last() >= before, "it went back");
        before = answer.last();
        answers++;
      }
      return answers;
    };
  }
}
