package roll.ui.run;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import roll.ui.metric.MetricFile;
import roll.ui.metric.MetricFiles;

/** The logs and phases of the runs that were looked at last. */
final class OpenRuns {
  private static final int KEPT = 32;

  private final MetricFiles metrics;
  private final Map<Path, OpenRun> open = new LinkedHashMap<>(16, 0.75f, true);

  /** None yet. */
  OpenRuns(MetricFiles metrics) {
    this.metrics = metrics;
  }

  /**
   * One of them.
   *
   * @param metrics its metrics
   * @param history what its log tells
   * @param timeline its phases
   */
  record OpenRun(MetricFile metrics, RunHistory history, PhaseTimeline timeline) {}

  /** The run in {@code folder}. */
  synchronized OpenRun of(Path folder) {
    MetricFile file = metrics.of(folder);
    OpenRun run = open.get(folder);
    if (run == null || run.metrics() != file) {
      RunHistory history = run == null ? new RunHistory(folder) : run.history();
      run = new OpenRun(file, history, new PhaseTimeline(file));
      open.put(folder, run);
      if (open.size() > KEPT) {
        open.remove(open.keySet().iterator().next());
      }
    }
    return run;
  }
}
