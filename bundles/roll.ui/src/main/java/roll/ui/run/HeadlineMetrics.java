package roll.ui.run;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import roll.ui.file.FileBytes;
import roll.ui.file.FileLines;
import roll.ui.metric.MetricLine;

/**
 * The last values of scores, success rates and losses of a run, read from the end of its metrics
 * file; as much of it is read as is needed to find the last step of training and the last
 * validation, within bounds.
 *
 * @param step the last step; −1 where there is none
 * @param values by name of the metric
 * @param read offset up to which the file was read
 */
record HeadlineMetrics(int step, Map<String, Double> values, long read) {
  /** The metrics of a file that was not read. */
  static final HeadlineMetrics NONE = new HeadlineMetrics(-1, Map.of(), 0);

  private static final int FIRST_BYTES = 8 << 10;

  /** Read at most, where a line is longer or the last validation is earlier. */
  private static final int MAX_BYTES = 32 << 20;

  /** Read at most for the last step of training: the lines after it have validations alone. */
  private static final int MAX_TRAINING_BYTES = 512 << 10;

  private static final int GROWTH = 4;

  /** Characters of {@code val/}. */
  private static final int SHORTEST = 4;

  /** Further names are left out: the list has those of all runs. */
  private static final int MAX_NAMES = 64;

  /** Returns whether {@code metric} is a headline metric. */
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

  private static boolean mayValidate(byte[] bytes, int start, int length) {
    for (int i = start; i + SHORTEST <= start + length; i++) {
      if (bytes[i] == 'v' && bytes[i + 1] == 'a' && bytes[i + 2] == 'l') {
        boolean name = bytes[i + 3] == '/' && i > start && bytes[i - 1] == '"';
        if (name || bytes[i + 3] == '_') {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * Returns the metrics of {@code file} now.
   *
   * @param size of the file
   * @param validated whether the last validation is needed
   */
  HeadlineMetrics next(Path file, long size, boolean validated) throws IOException {
    boolean trained = false;
    long whole = size;
    for (long back = FIRST_BYTES; ; back *= GROWTH) {
      long from = Math.max(read, size - Math.min(back, MAX_BYTES));
      if (!trained) {
        whole = from;
      }
      Map<String, Double> found = new LinkedHashMap<>();
      HeadlineMetrics next = readOn(file, from, size, whole, found);
      trained |=
          next.step() >= 0
              && (back >= MAX_TRAINING_BYTES
                  || !found.keySet().stream().allMatch(HeadlineMetrics::isValidation));
      boolean enough =
          trained
              && (!validated || found.keySet().stream().anyMatch(HeadlineMetrics::isValidation));
      if (enough || from == read || back >= MAX_BYTES) {
        return next;
      }
    }
  }

  /**
   * Reads lines from {@code from} on; of those that end before {@code whole} only the ones that
   * seem to have a validation: many runs have none, and parsing takes far longer than looking.
   */
  private HeadlineMetrics readOn(
      Path file, long from, long size, long whole, Map<String, Double> found) throws IOException {
    int[] last = {step};
    MetricLine line = new MetricLine();
    try (FileChannel channel = FileBytes.open(file)) {
      long after =
          FileLines.read(
              channel,
              from,
              size,
              (offset, bytes, start, length) -> {
                if ((offset + length >= whole || mayValidate(bytes, start, length))
                    && line.read(bytes, start, length, HeadlineMetrics::has)) {
                  last[0] = line.step();
                  for (int i = 0; i < line.size(); i++) {
                    found.put(line.name(i), line.value(i));
                  }
                }
                return true;
              });
      Map<String, Double> all = new LinkedHashMap<>(values);
      found.forEach(
          (name, value) -> {
            if (all.size() < MAX_NAMES || all.containsKey(name)) {
              all.put(name, value);
            }
          });
      return new HeadlineMetrics(last[0], all, after);
    }
  }
}
