package roll.tracking.chart;

import java.util.ArrayList;
import java.util.List;

/** Smooths a curve by a running mean. */
final class RunningMean {
  private RunningMean() {}

  /**
   * Returns the mean around each value, of a centered window of {@code window} values or the next
   * odd number. It shrinks on both sides near the ends, so that the mean has no lag.
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
