package roll.ui.run;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.ui.file.FileBytes;
import roll.ui.file.FileLines;
import roll.ui.file.FileStamp;
import roll.ui.metric.MetricLine;

/** Last, minimum and maximum of each metric in a {@code metrics.jsonl}, which is read once. */
final class MetricTotals {
  private static final int MAX_NAMES = 4096;

  private final Path file;
  private final MetricLine line = new MetricLine();
  private final Map<String, Total> totals = new LinkedHashMap<>();
  private @Nullable FileStamp stamp;
  private long read;
  private boolean complete = true;

  /** The totals of {@code file}, of which nothing is read yet. */
  MetricTotals(Path file) {
    this.file = file;
  }

  /** The values of one metric that are numbers. */
  record Total(double last, double min, double max) {
    private Total and(double value) {
      return new Total(value, Math.min(min, value), Math.max(max, value));
    }
  }

  /**
   * Reads new lines, until {@code deadline} at most; returns whether all were read.
   *
   * @param deadline by {@link System#nanoTime}
   */
  synchronized boolean read(long deadline) throws IOException {
    FileStamp now = FileStamp.of(file);
    if (now == null || !now.continues(stamp)) {
      totals.clear();
      read = 0;
    }
    if (now != null && !(complete && now.equals(stamp))) {
      complete = true;
      try (FileChannel channel = FileBytes.open(file)) {
        read = FileLines.read(channel, read, now.size(), (_, b, s, l) -> take(b, s, l, deadline));
      }
    }
    stamp = now;
    return complete;
  }

  private boolean take(byte[] bytes, int start, int length, long deadline) {
    if (line.read(bytes, start, length, _ -> true)) {
      for (int i = 0; i < line.size(); i++) {
        double value = line.value(i);
        Total before = totals.get(line.name(i));
        if (Double.isFinite(value) && (before != null || totals.size() < MAX_NAMES)) {
          totals.put(
              line.name(i), before == null ? new Total(value, value, value) : before.and(value));
        }
      }
    }
    complete = deadline - System.nanoTime() > 0;
    return complete;
  }

  /** Returns the totals of {@code metric} in the lines that were read; null without a number. */
  synchronized @Nullable Total of(String metric) {
    return totals.get(metric);
  }

  /** Returns the names of all metrics that were read. */
  synchronized List<String> names() {
    return List.copyOf(totals.keySet());
  }
}
