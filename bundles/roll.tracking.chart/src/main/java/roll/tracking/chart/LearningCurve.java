package roll.tracking.chart;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler.LegendLayout;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.XYStyler;
import org.knowm.xchart.style.markers.SeriesMarkers;
import roll.api.option.UserException;
import roll.tracking.chart.Points.Curve;

/**
 * The picture: scores above success rates, validation as a strong line with a mark per point,
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

  /** From one number of the axis of steps to the next, at least. */
  private static final int TICK = 110;

  private final String run;

  /** A picture of the run of that name. */
  LearningCurve(String run) {
    this.run = run;
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

  /** Draws all of {@code points}, one panel below the other, on one axis of steps. */
  BufferedImage draw(Points points) {
    List<Panel> shown =
        Stream.of(Panel.values())
            .filter(panel -> points.curves().keySet().stream().anyMatch(panel::shows))
            .toList();
    int last = points.curves().values().stream().mapToInt(Curve::last).max().orElse(0);
    List<XYChart> panels = new ArrayList<>();
    for (Panel panel : shown) {
      panels.add(chart(panel, panels.isEmpty() ? title(shown) : "", last, points.curves()));
    }
    BufferedImage image =
        new BufferedImage(
            WIDTH * SCALE, HEIGHT * SCALE * panels.size(), BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = image.createGraphics();
    try {
      graphics.setRenderingHint(
          RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
      graphics.scale(SCALE, SCALE);
      paint(panels, graphics);
    } finally {
      graphics.dispose();
    }
    return image;
  }

  /** The name in words, and what is seen. */
  private String title(List<Panel> shown) {
    String name = run.replaceAll("[_-]+", " ").strip();
    String first = name.isEmpty() ? "" : name.substring(0, 1).toUpperCase(Locale.ROOT);
    String what =
        shown.stream()
            .map(panel -> panel.label().toLowerCase(Locale.ROOT))
            .collect(Collectors.joining(" and "));
    return first + name.substring(first.length()) + ": " + what + " by training step";
  }

  /**
   * Paints the panels with their plots at the same place: how far a plot is from the left follows
   * from the numbers beside it, so each is painted once to see, then moved to where the widest is.
   */
  private static void paint(List<XYChart> panels, Graphics2D graphics) {
    graphics.setColor(Color.WHITE);
    graphics.fillRect(0, 0, WIDTH, HEIGHT * panels.size());
    BufferedImage seen = new BufferedImage(1, 1, BufferedImage.TYPE_INT_RGB);
    double[] left = new double[panels.size()];
    Graphics2D unseen = seen.createGraphics();
    try {
      for (int i = 0; i < left.length; i++) {
        panels.get(i).paint(unseen, WIDTH, HEIGHT);
        left[i] = panels.get(i).getScreenXFromChart(0);
      }
    } finally {
      unseen.dispose();
    }
    double most = Arrays.stream(left).max().orElse(0);
    for (int i = 0; i < left.length; i++) {
      int aside = (int) Math.round(most - left[i]);
      graphics.translate(aside, 0);
      panels.get(i).paint(graphics, WIDTH - aside, HEIGHT);
      graphics.translate(-aside, HEIGHT);
    }
  }

  private static XYChart chart(Panel panel, String title, int last, Map<String, Curve> curves) {
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(title)
            .xAxisTitle("step")
            .yAxisTitle(panel.label())
            .build();
    style(chart.getStyler(), panel, !title.isEmpty(), last);
    addRoundNumbers(chart);
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

  /**
   * XChart numbers points that are equally far apart one by one, however many there are; an
   * invisible one between them makes it choose round numbers with room between them.
   */
  private static void addRoundNumbers(XYChart chart) {
    double[] nowhere = {Double.NaN, Double.NaN};
    XYSeries unseen = chart.addSeries(" ", new double[] {0, 0.1}, nowhere);
    unseen.setMarker(SeriesMarkers.NONE).setShowInLegend(false);
  }

  private static void addValidation(XYChart chart, String label, Curve curve, Color color) {
    XYSeries line = chart.addSeries(label, curve.steps(), curve.values());
    line.setLineColor(color).setLineStyle(new BasicStroke(2.2f));
    line.setMarker(SeriesMarkers.CIRCLE).setMarkerColor(color);
  }

  private static void addTraining(XYChart chart, String label, Curve curve, Color color) {
    int window = Math.max(0, curve.values().size() / 40) * 2 + 1; // odd: as many before as after
    Color pale = new Color(color.getRed(), color.getGreen(), color.getBlue(), 80);
    List<Curve> parts = curve.parts();
    Curve line = Curve.joined(parts);
    XYSeries raw = chart.addSeries(label + " (each step)", line.steps(), line.values());
    raw.setLineColor(window > 1 ? pale : color);
    raw.setLineStyle(new BasicStroke(window > 1 ? 1.2f : 2.2f));
    raw.setMarker(SeriesMarkers.NONE).setShowInLegend(window == 1);
    if (window > 1) {
      String smooth = label + " (mean of " + window + " steps)";
      Curve mean = Curve.joined(parts.stream().map(part -> part.smooth(window)).toList());
      XYSeries strong = chart.addSeries(smooth, mean.steps(), mean.values());
      strong.setLineColor(color).setLineStyle(new BasicStroke(2.2f));
      strong.setMarker(SeriesMarkers.NONE);
    }
  }

  private static void style(XYStyler styler, Panel panel, boolean first, int last) {
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
    if (last > 0) {
      int step = WIDTH / last; // a number per step at most
      styler.setXAxisMax((double) last).setXAxisTickMarkSpacingHint(Math.max(TICK, step));
    }
    if (panel == Panel.SUCCESS) {
      styler.setYAxisMin(0.0).setYAxisMax(1.0).setYAxisDecimalPattern("0 %");
    }
  }
}
