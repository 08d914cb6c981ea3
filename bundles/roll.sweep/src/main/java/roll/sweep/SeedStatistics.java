package roll.sweep;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import roll.runtime.sweep.SeedGroup;
import roll.runtime.sweep.SeedGroup.Spread;
import roll.runtime.sweep.SweptRun;
import roll.runtime.sweep.SweptRun.CurvePoint;
import roll.runtime.sweep.SweptRun.State;

/** Aggregates runs that differ only in the seed. */
final class SeedStatistics {
  private SeedStatistics() {}

  /**
   * Returns the statistics of {@code runs}; only finished runs with the metric count.
   *
   * @param values that the runs share
   * @param label the values that distinguish them from other groups
   */
  static SeedGroup of(Map<String, String> values, Map<String, String> label, List<SweptRun> runs) {
    List<SweptRun> counted =
        runs.stream()
            .filter(run -> run.state() == State.FINISHED && !run.curve().isEmpty())
            .toList();
    List<CurvePoint> mean = new ArrayList<>();
    List<CurvePoint> least = new ArrayList<>();
    List<CurvePoint> greatest = new ArrayList<>();
    TreeMap<Integer, List<Double>> steps = new TreeMap<>();
    for (SweptRun run : counted) {
      for (CurvePoint point : run.curve()) {
        steps.computeIfAbsent(point.step(), s -> new ArrayList<>()).add(point.value());
      }
    }
    steps.forEach(
        (step, all) -> {
          if (all.size() == counted.size()) {
            Spread spread = Objects.requireNonNull(spread(all));
            mean.add(new CurvePoint(step, spread.mean()));
            least.add(new CurvePoint(step, spread.least()));
            greatest.add(new CurvePoint(step, spread.greatest()));
          }
        });
    return new SeedGroup(
        label.isEmpty() ? "all seeds" : Combination.label(label),
        values,
        runs.size(),
        counted.size(),
        spread(counted.stream().map(run -> Objects.requireNonNull(run.last())).toList()),
        spread(counted.stream().map(run -> Objects.requireNonNull(run.best())).toList()),
        counted.stream().map(run -> Objects.requireNonNull(run.bestStep())).sorted().toList(),
        mean,
        least,
        greatest);
  }

  /** Returns mean, sample standard deviation, minimum and maximum; null for no values. */
  static @Nullable Spread spread(List<Double> values) {
    if (values.isEmpty()) {
      return null;
    }
    double mean = values.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
    double squares = values.stream().mapToDouble(v -> (v - mean) * (v - mean)).sum();
    return new Spread(
        mean,
        values.size() < 2 ? null : Math.sqrt(squares / (values.size() - 1)),
        values.stream().mapToDouble(Double::doubleValue).min().orElseThrow(),
        values.stream().mapToDouble(Double::doubleValue).max().orElseThrow());
  }
}
