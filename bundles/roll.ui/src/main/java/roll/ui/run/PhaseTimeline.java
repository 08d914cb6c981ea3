package roll.ui.run;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import roll.ui.metric.MetricFile;
import roll.ui.metric.MetricLine;

/** The phases of the steps of one run; those that were asked for last are kept. */
final class PhaseTimeline {
  /** Most steps of an answer. */
  static final int MOST = 200;

  private static final int KEPT = 2 * MOST;

  /** Both are tokens per second of a step. */
  private static final List<String> SPEEDS = List.of("system/tps", "sft/tps");

  private final MetricFile metrics;
  private final TreeMap<Integer, Row> rows = new TreeMap<>();
  private int generation = -1;

  /** Of the run with {@code metrics}. */
  PhaseTimeline(MetricFile metrics) {
    this.metrics = metrics;
  }

  private record Row(StepPhases phases, double speed) {}

  /** Some steps and their tokens per second, NaN where a step does not tell. */
  record Answer(List<StepPhases> steps, Speeds tps) {}

  /** Tokens per second by step. */
  record Speeds(List<Integer> step, List<Double> value) {}

  /** The steps from {@code from} to {@code to}, inclusive, the last of them if they are many. */
  synchronized Answer between(int from, int to) throws IOException, InterruptedException {
    MetricFile.Overview all = metrics.overview();
    if (all.generation() != generation) {
      rows.clear();
      generation = all.generation();
    }
    int end = Math.min(to, all.last());
    int begin = Math.max(Math.max(0, from), end - MOST + 1);
    int missing = begin;
    while (missing <= end && rows.containsKey(missing)) {
      missing++;
    }
    if (missing <= end) {
      metrics.lines(missing, end, PhaseTimeline::needs, this::take);
    }
    List<StepPhases> steps = new ArrayList<>();
    Speeds speeds = new Speeds(new ArrayList<>(), new ArrayList<>());
    if (begin <= end) {
      rows.subMap(begin, true, end, true)
          .forEach(
              (step, row) -> {
                steps.add(row.phases());
                speeds.step().add(step);
                speeds.value().add(row.speed());
              });
    }
    while (rows.size() > KEPT) {
      rows.remove(
          begin - rows.firstKey() > rows.lastKey() - end ? rows.firstKey() : rows.lastKey());
    }
    return new Answer(steps, speeds);
  }

  private static boolean needs(String metric) {
    return StepPhases.needs(metric) || SPEEDS.contains(metric);
  }

  private void take(MetricLine line) {
    double speed = Double.NaN;
    for (int i = 0; i < line.size(); i++) {
      speed = SPEEDS.contains(line.name(i)) ? line.value(i) : speed;
    }
    rows.put(line.step(), new Row(StepPhases.of(line), speed));
  }
}
