package roll.runtime.sweep;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.runtime.sweep.SweptRun.CurvePoint;

/**
 * Runs that differ only in their seed.
 *
 * @param name the shared values, as shown in tables; {@code all seeds} if there are none
 * @param values by key
 * @param runs number of runs
 * @param counted number of runs that have all their steps and the metric; the other figures are of
 *     these
 * @param last statistics of the last values; null if no run counts
 * @param best statistics of the best values; null if no run counts
 * @param bestSteps the steps of the best values, rising
 * @param mean the mean curve of the runs that count, at the steps that all of them have
 * @param leastCurve minimum at each step of the mean curve
 * @param greatestCurve maximum at each step of the mean curve
 */
public record SeedGroup(
    String name,
    Map<String, String> values,
    int runs,
    int counted,
    @Nullable Spread last,
    @Nullable Spread best,
    List<Integer> bestSteps,
    List<CurvePoint> mean,
    List<CurvePoint> leastCurve,
    List<CurvePoint> greatestCurve) {
  /** Copies the collections; the order of the values stays. */
  public SeedGroup {
    values = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(values));
    bestSteps = List.copyOf(bestSteps);
    mean = List.copyOf(mean);
    leastCurve = List.copyOf(leastCurve);
    greatestCurve = List.copyOf(greatestCurve);
  }

  /**
   * Statistics of a metric over seeds.
   *
   * @param mean of them
   * @param deviation standard deviation of a sample (divided by n − 1); null of a single value
   * @param least the smallest
   * @param greatest the largest
   */
  public record Spread(double mean, @Nullable Double deviation, double least, double greatest) {}
}
