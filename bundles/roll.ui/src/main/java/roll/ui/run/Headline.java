package roll.ui.run;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import roll.ui.file.FileEnds;
import roll.ui.file.FileLines;
import roll.ui.metric.MetricLine;

/**
 * The last values of the few metrics that say how well a run does, as far as the end of its file
 * has them; the end is as long as it takes to find the last validation, within a bound.
 *
 * @param step the last; −1 where there is none
 * @param values by name of the metric
 * @param read offset up to which the file was read
 */
record Headline(int step, Map<String, Double> values, long read) {
  /** Nothing read. */
  static final Headline NONE = new Headline(-1, Map.of(), 0);

  private static final int MOST_BYTES = 48 << 10;

  /** What is read on beyond that where a line is longer, or the last validation is further back. */
  private static final int FURTHEST = 32 << 20;

  private static final int GROWTH = 4;

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

  private static boolean isValidation(String metric) {
    return metric.startsWith("val/") || metric.equals("sft/val_loss");
  }

  /**
   * What {@code file} has now.
   *
   * @param size that it has
   * @param validated whether there may be validations, and the last one is looked for
   */
  Headline next(Path file, long size, boolean validated) throws IOException {
    for (long back = MOST_BYTES; ; back *= GROWTH) {
      long from = Math.max(read, size - Math.min(back, FURTHEST));
      Map<String, Double> found = new LinkedHashMap<>();
      Headline next = readOn(file, from, size, found);
      boolean enough =
          next.step() >= 0
              && (!validated || found.keySet().stream().anyMatch(Headline::isValidation));
      if (enough || from == read || back >= FURTHEST) {
        return next;
      }
    }
  }

  private Headline readOn(Path file, long from, long size, Map<String, Double> found)
      throws IOException {
    int[] last = {step};
    MetricLine line = new MetricLine();
    try (FileChannel channel = FileEnds.open(file)) {
      long after =
          FileLines.read(
              channel,
              from,
              size,
              (_, bytes, start, length) -> {
                if (line.read(bytes, start, length, Headline::has)) {
                  last[0] = line.step();
                  for (int i = 0; i < line.size(); i++) {
                    found.put(line.name(i), line.value(i));
                  }
                }
                return true;
              });
      Map<String, Double> all = new LinkedHashMap<>(values);
      all.putAll(found);
      return new Headline(last[0], all, after);
    }
  }
}
