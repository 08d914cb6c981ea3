package roll.chart;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.util.ArrayList;
import java.util.List;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.XYSeries.XYSeriesRenderStyle;
import org.knowm.xchart.style.Styler.LegendLayout;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.XYStyler;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** The style of a panel; the only class that uses series classes of XChart. */
final class PanelStyle {
  static final int WIDTH = 900;
  static final int HEIGHT = 380;
  private static final Color INK = new Color(0x33, 0x3b, 0x44);
  private static final Color GRID = new Color(0xe6, 0xe9, 0xed);
  private static final Color NONE = new Color(0, 0, 0, 0);

  /** The minimum distance between two labels of the axis of steps. */
  private static final int TICK = 110;

  private PanelStyle() {}

  /**
   * Returns the panel as a chart.
   *
   * @param last the last step of all panels
   */
  static XYChart chart(ChartPanel panel, int last) {
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(panel.title())
            .xAxisTitle("step")
            .yAxisTitle(panel.label())
            .build();
    style(chart.getStyler(), panel, last);
    addRoundNumbers(chart);
    panel.bands().forEach(band -> add(chart, band));
    panel.lines().forEach(line -> add(chart, line));
    return chart;
  }

  /**
   * Adds an invisible point: XChart labels every point of equally spaced ones; uneven spacing makes
   * it choose round labels.
   */
  private static void addRoundNumbers(XYChart chart) {
    double[] nowhere = {Double.NaN, Double.NaN};
    XYSeries unseen = chart.addSeries(" ", new double[] {0, 0.1}, nowhere);
    unseen.setMarker(SeriesMarkers.NONE).setShowInLegend(false);
  }

  /** Adds the polygon of the upper edge forward and the lower edge backward. */
  private static void add(XYChart chart, ChartBand band) {
    List<Integer> steps = new ArrayList<>(band.steps());
    steps.addAll(band.steps().reversed());
    List<Double> edge = new ArrayList<>(band.greatest());
    edge.addAll(band.least().reversed());
    XYSeries area = chart.addSeries(band.label(), steps, edge);
    area.setXYSeriesRenderStyle(XYSeriesRenderStyle.PolygonArea);
    area.setLineColor(NONE).setFillColor(band.color());
    area.setMarker(SeriesMarkers.NONE).setShowInLegend(false);
  }

  private static void add(XYChart chart, ChartLine line) {
    XYSeries series = chart.addSeries(line.label(), line.steps(), line.values());
    series.setLineColor(line.color()).setLineStyle(new BasicStroke(line.width()));
    series.setMarker(line.marks() ? SeriesMarkers.CIRCLE : SeriesMarkers.NONE);
    series.setMarkerColor(line.color()).setShowInLegend(line.legend());
  }

  private static void style(XYStyler styler, ChartPanel panel, int last) {
    styler.setChartBackgroundColor(Color.WHITE).setChartFontColor(INK).setChartPadding(16);
    styler.setChartTitleVisible(!panel.title().isEmpty()).setChartTitleBoxVisible(false);
    styler.setChartTitlePadding(10);
    styler.setChartTitleFont(new Font(Font.SANS_SERIF, Font.BOLD, 17));
    styler.setPlotBackgroundColor(Color.WHITE).setPlotBorderVisible(false);
    styler.setPlotContentSize(0.96);
    styler.setPlotGridLinesColor(GRID).setPlotGridLinesStroke(new BasicStroke(1f));
    styler.setPlotTicksMarksVisible(false).setAxisTickLabelsColor(INK);
    styler.setAxisTickLabelsFont(new Font(Font.SANS_SERIF, Font.PLAIN, 12));
    styler.setAxisTitleFont(new Font(Font.SANS_SERIF, Font.PLAIN, 13));
    styler.setLegendPosition(LegendPosition.OutsideS).setLegendLayout(LegendLayout.Horizontal);
    styler.setLegendBorderColor(Color.WHITE).setLegendBackgroundColor(Color.WHITE);
    styler.setLegendFont(new Font(Font.SANS_SERIF, Font.PLAIN, 12));
    styler.setAntiAlias(true);
    styler.setMarkerSize(6);
    styler.setXAxisMin(0.0).setXAxisDecimalPattern("0").setYAxisDecimalPattern("0.###");
    if (last > 0) {
      int step = WIDTH / last; // at most one label per step
      styler.setXAxisMax((double) last).setXAxisTickMarkSpacingHint(Math.max(TICK, step));
    }
    if (panel.share()) {
      styler.setYAxisMin(0.0).setYAxisMax(1.0).setYAxisDecimalPattern("0 %");
    }
  }
}
