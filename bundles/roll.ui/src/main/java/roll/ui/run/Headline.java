package roll.ui.run;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;
import roll.ui.metric.FileLines;
import roll.ui.metric.MetricLine;

/**
 * The last values of the few metrics that say how well a run does, as far as the end of its file
 * has them.
 *
 * @param step the last; −1 where there is none
 * @param values by name of the metric
 * @param read offset up to which the file was read
 */
record Headline(int step, Map<String, Double> values, long read) {
  /** Nothing read. */
  static final Headline NONE = new Headline(-1, Map.of(), 0);

  private static final int MOST_BYTES = 48 << 10;

  /** What is read on beyond that where a line is longer. */
  private static final int LONGEST = 4 << 20;

  /** Whether a run is judged by {@code metric}. */
  static boolean has(String metric) {
    return switch (metric) {
      case "rollout/score/mean", "val/score/mean", "actor/pg_loss", "sft/loss", "sft/val_loss" ->
          true;
      default ->
          metric.endsWith("/success")
              && (metric.startsWith("env/") || metric.startsWith("val/env/"));
    };
  }

  /**
   * What {@code file} has now.
   *
   * @param size that it has
   */
  Headline next(Path file, long size) throws IOException {
    Headline next = readOn(file, Math.max(read, size - MOST_BYTES), size);
    return next.step() < 0 ? readOn(file, Math.max(read, size - LONGEST), size) : next;
  }

  private Headline readOn(Path file, long from, long size) throws IOException {
    Map<String, Double> all = new LinkedHashMap<>(values);
    int[] last = {step};
    MetricLine line = new MetricLine();
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
      long after =
          FileLines.read(
              channel,
              from,
              size,
              (_, bytes, start, length) -> {
                if (line.read(bytes, start, length, Headline::has)) {
                  last[0] = line.step();
                  for (int i = 0; i < line.size(); i++) {
                    all.put(line.name(i), line.value(i));
                  }
                }
                return true;
              });
      return new Headline(last[0], all, after);
    }
  }
}
