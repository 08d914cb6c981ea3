package roll.ui.run;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import roll.ui.metric.MetricFile;

/**
 * The phases of some steps of a run, and their tokens per second.
 *
 * @param complete whether all steps were read; otherwise there may be later ones
 */
record PhaseTimeline(List<StepPhases> steps, Speeds tps, boolean complete) {
  /** Most steps of an answer. */
  static final int MOST = 200;

  /** Both are tokens per second of a step. */
  private static final List<String> SPEEDS = List.of("system/tps", "sft/tps");

  /** Tokens per second by step; NaN where a step does not tell. */
  record Speeds(List<Integer> step, List<Double> value) {}

  /**
   * The steps of {@code metrics} from {@code from} to {@code to}, inclusive, the last of them if
   * they are many.
   */
  static PhaseTimeline of(MetricFile metrics, int from, int to)
      throws IOException, InterruptedException {
    MetricFile.Overview all = metrics.overview();
    int end = Math.min(to, all.last());
    int begin = Math.max(Math.max(0, from), end - MOST + 1);
    PhaseTimeline phases =
        new PhaseTimeline(
            new ArrayList<>(), new Speeds(new ArrayList<>(), new ArrayList<>()), all.complete());
    if (begin <= end) {
      metrics.rows(begin, end, PhaseTimeline::needs, phases::add);
    }
    return phases;
  }

  private static boolean needs(String metric) {
    return StepPhases.needs(metric) || SPEEDS.contains(metric);
  }

  private void add(int step, Map<String, Double> values) {
    double speed = Double.NaN;
    for (String name : SPEEDS) {
      speed = values.getOrDefault(name, speed);
    }
    steps.add(StepPhases.of(step, values));
    tps.step().add(step);
    tps.value().add(speed);
  }
}
