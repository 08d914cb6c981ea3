package roll.shell.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import roll.runtime.config.LoadedConfig;
import roll.runtime.pipeline.RunEstimates;
import roll.runtime.pipeline.RunEstimates.Measured;
import roll.text.ByteSize;

/** The rows for a run's estimates of disk, memory and time. */
final class EstimateRows {
  private EstimateRows() {}

  /** Returns name and value of each row, in printing order. */
  static List<Map.Entry<String, String>> of(LoadedConfig config, RunEstimates estimates) {
    List<Map.Entry<String, String>> rows = new ArrayList<>();
    rows.add(Map.entry("checkpoint_size", ByteSize.of(estimates.checkpoint())));
    if (estimates.kept() > 0) {
      rows.add(
          Map.entry(
              "checkpoints_on_disk",
              "at most %d, %s"
                  .formatted(
                      estimates.kept(), ByteSize.of(estimates.kept() * estimates.checkpoint()))));
    }
    if (estimates.host() > 0) {
      rows.add(Map.entry("host_memory", host(estimates)));
    }
    Measured measured = estimates.measured();
    if (measured != null) {
      rows.add(Map.entry("time", time(config.run().schedule().maxSteps(), measured)));
    }
    return rows;
  }

  private static String host(RunEstimates estimates) {
    List<String> parts = new ArrayList<>();
    part(parts, "models", estimates.models());
    part(parts, "trajectories per step", estimates.batch());
    part(parts, "checkpoint being saved", estimates.copied());
    return "%s of %s (%s)"
        .formatted(
            ByteSize.of(estimates.host()),
            ByteSize.of(estimates.machine()),
            String.join(", ", parts));
  }

  private static void part(List<String> parts, String what, long bytes) {
    if (bytes > 0) {
      parts.add(what + " " + ByteSize.of(bytes));
    }
  }

  private static String time(int steps, Measured measured) {
    return "about %s: %d steps of %s (measured on the last %s in %s)"
        .formatted(
            duration(steps * measured.seconds()),
            steps,
            duration(measured.seconds()),
            measured.steps() == 1 ? "one" : String.valueOf(measured.steps()),
            measured.file());
  }

  /** Returns a duration such as {@code 2.50 s}, {@code 3 min 07 s}, {@code 26 h 05 min}. */
  static String duration(double seconds) {
    if (seconds < 60) {
      return String.format(Locale.ROOT, "%.2f s", seconds);
    }
    long all = Math.round(seconds);
    return all < 3600
        ? String.format(Locale.ROOT, "%d min %02d s", all / 60, all % 60)
        : String.format(Locale.ROOT, "%,d h %02d min", all / 3600, all / 60 % 60);
  }
}
