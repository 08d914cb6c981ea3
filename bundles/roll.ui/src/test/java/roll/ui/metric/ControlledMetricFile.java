package roll.ui.metric;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** A metrics file whose background reading is controlled by the test. */
final class ControlledMetricFile {
  final Path path;
  final MetricFile file;
  private final List<MetricFile> waiting = new ArrayList<>();

  ControlledMetricFile(Path folder) {
    this(folder, 64 << 20);
  }

  ControlledMetricFile(Path folder, long maxBytes) {
    path = folder.resolve(MetricFiles.NAME);
    file = new MetricFile(path, maxBytes, waiting::add);
  }

  void append(String text) throws IOException {
    Files.write(
        path,
        text.getBytes(StandardCharsets.UTF_8),
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }

  /** Reads in the background what there is; how many pieces. */
  int readOn() throws IOException {
    int pieces = 0;
    while (!waiting.isEmpty()) {
      MetricFile next = waiting.removeLast();
      do {
        pieces++;
      } while (next.readOn());
    }
    return pieces;
  }

  MetricFile.Answer ask(String name, int from, int to, int points) throws Exception {
    return file.series(List.of(name), from, to, points);
  }

  MetricSeries series(String name, int from, int to, int points) throws Exception {
    return Objects.requireNonNull(ask(name, from, to, points).series().get(name));
  }

  /** All of a metric. */
  MetricSeries series(String name) throws Exception {
    return series(name, 0, Integer.MAX_VALUE, 1_000);
  }
}
