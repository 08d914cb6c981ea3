package roll.ui.metric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Least and greatest of any bucket are those of all values in it, whatever the data and range. */
class BucketPropertyTest {
  private static final int ASKED = 60;

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 900, 4_096, 4_097, 20_000})
  void buckets_of_the_index_have_all_values(int count) {
    RandomMetrics random = new RandomMetrics(count);
    BucketIndex index = new BucketIndex();
    MetricLine line = new MetricLine();
    for (String text : random.more(count).lines().toList()) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      assertTrue(line.read(bytes, 0, bytes.length, _ -> true));
      index.add(line, 0);
    }
    int last = random.steps.lastKey();
    assertEquals(last, index.last());
    for (int i = 0; i < ASKED; i++) {
      int from = random.below(last + 1);
      int to = i == 0 ? Integer.MAX_VALUE : from + random.below(last + 1);
      int points = 1 + random.below(1_000);
      int width = index.width();
      int begin = from / width * width;
      int end = Math.min(to, last) / width * width + width - 1;
      for (String name : RandomMetrics.NAMES) {
        MetricSeries series = index.series(name, from, to, points);
        assertTrue(series.size() <= points, () -> series.size() + " of " + points);
        SeriesChecks.same(random.steps, name, series, begin, end);
      }
    }
  }

  /** Also through the file, where narrow ranges are read line by line and grow. */
  @ParameterizedTest
  @ValueSource(ints = {3, 11})
  void buckets_of_a_growing_file_have_all_values(int seed) throws Exception {
    RandomMetrics random = new RandomMetrics(seed);
    SomeMetrics metrics = new SomeMetrics(folder);
    for (int round = 0; round < 8; round++) {
      metrics.append(random.more(1 + random.below(3_000)));
      int last = random.steps.lastKey();
      for (int i = 0; i < ASKED; i++) {
        int points = 1 + random.below(500);
        int span = i % 2 == 0 ? random.below(points) : random.below(last + 1);
        int from = Math.max(0, last - span - (i % 3 == 0 ? 0 : random.below(last + 1)));
        check(random, metrics, from, from + span, points);
      }
    }
  }

  private static void check(RandomMetrics random, SomeMetrics metrics, int from, int to, int points)
      throws Exception {
    int last = random.steps.lastKey();
    MetricFile.Answer answer = metrics.file.series(RandomMetrics.NAMES, from, to, points);
    assertTrue(answer.complete());
    assertEquals(last, answer.last());
    List<String> names = List.copyOf(answer.series().keySet());
    assertEquals(RandomMetrics.NAMES, names);
    int width = 1;
    while (last / width >= 4_096) {
      width *= 2;
    }
    boolean narrow = width > 1 && (to - from + 1) / width < points;
    int begin = narrow ? from : from / width * width;
    int end = narrow ? to : Math.min(to, last) / width * width + width - 1;
    for (String name : names) {
      MetricSeries series = Objects.requireNonNull(answer.series().get(name));
      assertTrue(series.size() <= points, () -> series.size() + " of " + points);
      SeriesChecks.same(random.steps, name, series, begin, end);
    }
  }
}
