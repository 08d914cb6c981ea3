package roll.sweep;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.runtime.sweep.SeedGroup;
import roll.runtime.sweep.SweepResult;
import roll.runtime.sweep.SweptRun;
import roll.runtime.sweep.SweptRun.CurvePoint;

/** Summarizes the metrics of the runs of a sweep. */
final class SweepSummary {
  private SweepSummary() {}

  /**
   * Returns the results of the sweep in {@code folder}, without a picture.
   *
   * @param asked metric to compare, or null for the default one
   * @throws UserException if no run has the metric, or files cannot be read
   */
  static SweepResult of(Path folder, SweepRecord record, @Nullable String asked) {
    Map<SweepRecord.Entry, MetricsReader> read = new LinkedHashMap<>();
    Set<String> names = new TreeSet<>();
    for (SweepRecord.Entry run : record.runs()) {
      MetricsReader metrics = read(folder.resolve(run.folder()), asked);
      names.addAll(metrics.names());
      read.put(run, metrics);
    }
    if (asked != null) {
      MetricChoice.require(folder, asked, names);
    }
    String metric = asked != null ? asked : MetricChoice.defaultOf(names);
    boolean least = metric != null && MetricChoice.lowerIsBetter(metric);
    List<SweptRun> runs = new ArrayList<>();
    read.forEach((run, metrics) -> runs.add(run(folder, run, metrics, metric, least)));
    Map<Map<String, String>, List<SweptRun>> groups = new LinkedHashMap<>();
    for (SweptRun run : runs) {
      Map<String, String> shared = new Combination(run.values()).withoutSeed();
      groups.computeIfAbsent(shared, v -> new ArrayList<>()).add(run);
    }
    List<SeedGroup> together = new ArrayList<>();
    groups.forEach(
        (values, members) ->
            together.add(SeedStatistics.of(values, differing(values, groups.keySet()), members)));
    return new SweepResult(
        folder.toString(), record.command(), metric, least, runs, together, null, List.of());
  }

  /** Returns those of {@code values} that differ in another combination. */
  private static Map<String, String> differing(
      Map<String, String> values, Set<Map<String, String>> all) {
    Map<String, String> differing = new LinkedHashMap<>(values);
    differing
        .entrySet()
        .removeIf(
            one -> all.stream().allMatch(other -> one.getValue().equals(other.get(one.getKey()))));
    return differing;
  }

  private static MetricsReader read(Path run, @Nullable String asked) {
    try {
      return MetricsReader.of(
          run, name -> asked == null ? MetricChoice.isDefault(name) : name.equals(asked));
    } catch (IOException e) {
      throw new UserException(
          run.resolve(MetricsReader.FILE) + " cannot be read: " + IoReason.of(e), e);
    }
  }

  private static SweptRun run(
      Path folder,
      SweepRecord.Entry run,
      MetricsReader metrics,
      @Nullable String metric,
      boolean least) {
    List<CurvePoint> curve =
        metric == null ? List.of() : metrics.curves().getOrDefault(metric, List.of());
    Comparator<CurvePoint> better = Comparator.comparingDouble(CurvePoint::value);
    CurvePoint best = // the first of equal ones
        curve.stream()
            .reduce((a, b) -> (least ? better : better.reversed()).compare(b, a) < 0 ? b : a)
            .orElse(null);
    return new SweptRun(
        run.combination().label(),
        run.values(),
        folder.resolve(run.folder()).toString(),
        run.state(),
        run.problem(),
        metrics.steps(),
        curve,
        curve.isEmpty() ? null : curve.getLast().value(),
        best == null ? null : best.value(),
        best == null ? null : best.step());
  }
}
