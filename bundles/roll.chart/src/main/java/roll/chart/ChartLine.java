package roll.chart;

import java.awt.Color;
import java.util.List;

/**
 * A curve of a panel.
 *
 * @param label what the legend calls it; unique in its panel
 * @param steps places on the axis of steps, rising
 * @param values beside them; NaN breaks the line
 * @param color of line and marks
 * @param width of the line, in units of which a picture has 900 from left to right
 * @param marks whether each point has a mark
 * @param legend whether the legend has it
 */
public record ChartLine(
    String label,
    List<Integer> steps,
    List<Double> values,
    Color color,
    float width,
    boolean marks,
    boolean legend) {
  /** Copies the lists. */
  public ChartLine {
    steps = List.copyOf(steps);
    values = List.copyOf(values);
  }
}
