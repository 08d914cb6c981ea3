package roll.chart;

import java.awt.Color;
import java.util.List;

/**
 * A filled band between two curves.
 *
 * @param label unique in its panel; not in the legend
 * @param steps ascending
 * @param least lower edge at the steps, finite
 * @param greatest upper edge at the steps, finite
 * @param color of the filling, which may be translucent
 */
public record ChartBand(
    String label, List<Integer> steps, List<Double> least, List<Double> greatest, Color color) {
  /** Creates a chart band with immutable copies of the lists. */
  public ChartBand {
    steps = List.copyOf(steps);
    least = List.copyOf(least);
    greatest = List.copyOf(greatest);
  }
}
