package roll.chart;

import java.util.List;

/**
 * A panel of a chart with its curves.
 *
 * @param title above it, or empty
 * @param label of the vertical axis
 * @param share whether values are shares from 0 to 1, shown in percent
 * @param bands behind the lines
 * @param lines in the order of the legend; at least one
 */
public record ChartPanel(
    String title, String label, boolean share, List<ChartBand> bands, List<ChartLine> lines) {
  /** Creates a chart panel with immutable copies of the lists. */
  public ChartPanel {
    bands = List.copyOf(bands);
    lines = List.copyOf(lines);
  }
}
