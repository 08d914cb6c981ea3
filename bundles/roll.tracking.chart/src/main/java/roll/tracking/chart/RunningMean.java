package roll.tracking.chart;

import java.util.ArrayList;
import java.util.List;

/** Smooths a curve. */
final class RunningMean {
  private RunningMean() {}

  /**
   * Each value's mean with as many values before it as after it, {@code window} of them with
   * itself, or the next odd number. Near the ends there are fewer on both sides, so that the mean
   * neither lags behind the curve nor runs ahead of it.
   */
  static List<Double> of(List<Double> values, int window) {
    List<Double> means = new ArrayList<>(values.size());
    for (int i = 0; i < values.size(); i++) {
      int side = Math.min(window / 2, Math.min(i, values.size() - 1 - i));
      means.add(
          values.subList(i - side, i + side + 1).stream()
              .mapToDouble(Double::doubleValue)
              .average()
              .orElseThrow());
    }
    return means;
  }
}
