package roll.chart;

import java.awt.Color;
import java.util.List;

/**
 * The room between two curves, filled.
 *
 * @param label a name that is unique in its panel; the legend does not have it
 * @param steps places on the axis of steps, rising
 * @param least lower edge beside them, finite
 * @param greatest upper edge beside them, finite
 * @param color of the filling, which may let through what is behind it
 */
public record ChartBand(
    String label, List<Integer> steps, List<Double> least, List<Double> greatest, Color color) {
  /** Copies the lists. */
  public ChartBand {
    steps = List.copyOf(steps);
    least = List.copyOf(least);
    greatest = List.copyOf(greatest);
  }
}
