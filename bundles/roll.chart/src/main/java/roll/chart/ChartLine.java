package roll.chart;

import java.awt.Color;
import java.util.List;

/**
 * A curve of a panel.
 *
 * @param label in the legend; unique in its panel
 * @param steps ascending
 * @param values at the steps; NaN breaks the line
 * @param color of line and marks
 * @param width of the line, in units of which the picture is 900 wide
 * @param marks whether each point has a mark
 * @param legend whether the line is in the legend
 */
public record ChartLine(
    String label,
    List<Integer> steps,
    List<Double> values,
    Color color,
    float width,
    boolean marks,
    boolean legend) {
  /** Creates a chart line with immutable copies of the lists. */
  public ChartLine {
    steps = List.copyOf(steps);
    values = List.copyOf(values);
  }
}
