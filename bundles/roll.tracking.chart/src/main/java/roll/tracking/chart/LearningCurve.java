package roll.tracking.chart;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler.LegendLayout;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.XYStyler;
import org.knowm.xchart.style.markers.SeriesMarkers;
import roll.api.config.UserException;
import roll.tracking.chart.Points.Curve;

/**
 * The picture: scores above success rates, validation as a strong line with a mark a point,
 * training pale with its running mean over it.
 */
final class LearningCurve {
  private static final int WIDTH = 900;
  private static final int HEIGHT = 380;
  private static final int SCALE = 2; // pixels a unit: sharp on today's screens
  private static final Color INK = new Color(0x33, 0x3b, 0x44);
  private static final Color GRID = new Color(0xe6, 0xe9, 0xed);
  private static final Color[] VALIDATION = {
    new Color(0x1f, 0x6f, 0xb4), new Color(0x2b, 0x8a, 0x57), new Color(0x7d, 0x4f, 0xa8)
  };
  private static final Color[] TRAINING = {
    new Color(0xe0, 0x7b, 0x2a), new Color(0xb8, 0x8a, 0x1e), new Color(0xc0, 0x4b, 0x6b)
  };

  private final String title;

  /** A picture headed {@code title}. */
  LearningCurve(String title) {
    this.title = title;
  }

  /**
   * Finds out early whether text can be drawn at all: a JDK needs a font of the system's for that.
   *
   * @throws UserException if it cannot
   */
  static void probe() {
    BufferedImage image = new BufferedImage(1, 1, BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = image.createGraphics();
    try {
      graphics.getFontMetrics(new Font(Font.SANS_SERIF, Font.PLAIN, 12)).stringWidth("step");
    } catch (RuntimeException | LinkageError | InternalError e) {
      throw new UserException(
          "track_with: chart cannot draw text on this machine ("
              + e.getMessage()
              + "); install fontconfig and a font, or leave chart out",
          e);
    } finally {
      graphics.dispose();
    }
  }

  /** Draws all of {@code points}, one panel below the other. */
  BufferedImage draw(Points points) {
    List<XYChart> panels = new ArrayList<>();
    for (Panel panel : Panel.values()) {
      if (points.curves().keySet().stream().anyMatch(panel::shows)) {
        panels.add(chart(panel, panels.isEmpty() ? title : "", points.curves()));
      }
    }
    BufferedImage image =
        new BufferedImage(
            WIDTH * SCALE, HEIGHT * SCALE * panels.size(), BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = image.createGraphics();
    try {
      graphics.setRenderingHint(
          RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
      graphics.scale(SCALE, SCALE);
      for (XYChart panel : panels) {
        panel.paint(graphics, WIDTH, HEIGHT);
        graphics.translate(0, HEIGHT);
      }
    } finally {
      graphics.dispose();
    }
    return image;
  }

  private static XYChart chart(Panel panel, String title, Map<String, Curve> curves) {
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(title)
            .xAxisTitle("step")
            .yAxisTitle(panel.label())
            .build();
    style(chart.getStyler(), panel, !title.isEmpty());
    int training = 0;
    int validation = 0;
    for (String name : curves.keySet().stream().filter(panel::shows).sorted().toList()) {
      Curve curve = Objects.requireNonNull(curves.get(name));
      if (name.startsWith("val/")) {
        Color color = VALIDATION[validation++ % VALIDATION.length];
        addValidation(chart, panel.legend(name), curve, color);
      } else {
        Color color = TRAINING[training++ % TRAINING.length];
        addTraining(chart, panel.legend(name), curve, color);
      }
    }
    return chart;
  }

  private static void addValidation(XYChart chart, String label, Curve curve, Color color) {
    XYSeries line = chart.addSeries(label, curve.steps(), curve.values());
    line.setLineColor(color).setLineStyle(new BasicStroke(2.2f));
    line.setMarker(SeriesMarkers.CIRCLE).setMarkerColor(color);
  }

  private static void addTraining(XYChart chart, String label, Curve curve, Color color) {
    int window = Math.max(1, curve.values().size() / 20);
    Color pale = new Color(color.getRed(), color.getGreen(), color.getBlue(), 80);
    XYSeries raw = chart.addSeries(label + " (each step)", curve.steps(), curve.values());
    raw.setLineColor(window > 1 ? pale : color);
    raw.setLineStyle(new BasicStroke(window > 1 ? 1.2f : 2.2f));
    raw.setMarker(SeriesMarkers.NONE).setShowInLegend(window == 1);
    if (window > 1) {
      String smooth = label + " (mean of " + window + " steps)";
      XYSeries line =
          chart.addSeries(smooth, curve.steps(), RunningMean.of(curve.values(), window));
      line.setLineColor(color).setLineStyle(new BasicStroke(2.2f));
      line.setMarker(SeriesMarkers.NONE);
    }
  }

  private static void style(XYStyler styler, Panel panel, boolean first) {
    styler.setChartBackgroundColor(Color.WHITE).setChartFontColor(INK).setChartPadding(16);
    styler.setChartTitleVisible(first).setChartTitleBoxVisible(false).setChartTitlePadding(10);
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
    if (panel == Panel.SUCCESS) {
      styler.setYAxisMin(0.0).setYAxisMax(1.0).setYAxisDecimalPattern("0 %");
    }
  }
}
