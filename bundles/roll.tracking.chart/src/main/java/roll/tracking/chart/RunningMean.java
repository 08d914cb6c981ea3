package roll.tracking.chart;

import java.util.ArrayList;
import java.util.List;

/** Smooths a curve. */
final class RunningMean {
  private RunningMean() {}

  /** Each value's mean with the {@code window − 1} values before it, fewer at the start. */
  static List<Double> of(List<Double> values, int window) {
    List<Double> means = new ArrayList<>(values.size());
    for (int i = 0; i < values.size(); i++) {
      means.add(
          values.subList(Math.max(0, i - window + 1), i + 1).stream()
              .mapToDouble(Double::doubleValue)
              .average()
              .orElseThrow());
    }
    return means;
  }
}
