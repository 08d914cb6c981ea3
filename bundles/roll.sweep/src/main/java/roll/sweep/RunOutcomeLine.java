package roll.sweep;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import roll.runtime.sweep.SweptRun.CurvePoint;
import roll.runtime.sweep.SweptRun.State;

/** The line about a run that has ended. */
final class RunOutcomeLine {
  private RunOutcomeLine() {}

  /**
   * Returns the line without the run's name.
   *
   * @param folder of the run
   * @param asked metric, or null for the default one
   */
  static String of(Path folder, RunProcess.End end, @Nullable String asked) {
    String state = end.state().name().toLowerCase(Locale.ROOT);
    return end.problem() != null
        ? state + ": " + end.problem()
        : state + (end.state() == State.FINISHED ? figure(folder, asked) : ", saved");
  }

  private static String figure(Path folder, @Nullable String asked) {
    try {
      MetricsReader read =
          MetricsReader.of(
              folder, name -> asked == null ? MetricChoice.isDefault(name) : name.equals(asked));
      String metric = asked == null ? MetricChoice.defaultOf(read.names()) : asked;
      List<CurvePoint> curve =
          metric == null ? List.of() : read.curves().getOrDefault(metric, List.of());
      if (metric != null && curve.isEmpty()) {
        return ", without a metric '" + metric + "'";
      }
      return curve.isEmpty()
          ? ""
          : String.format(Locale.ROOT, ", %s %.3f", metric, curve.getLast().value());
    } catch (IOException e) {
      return "";
    }
  }
}
