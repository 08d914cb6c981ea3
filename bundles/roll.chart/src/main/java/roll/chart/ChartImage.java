package roll.chart;

import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.util.Arrays;
import java.util.List;
import org.knowm.xchart.XYChart;
import roll.api.option.UserException;

/** Panels below each other, on one axis of steps. */
public final class ChartImage {
  private static final int SCALE = 2; // pixels per unit, for high-resolution screens

  private ChartImage() {}

  /**
   * Checks whether text can be drawn: the JDK needs a font of the system.
   *
   * @param what begins the message: the picture to draw
   * @param otherwise ends it: the alternative
   * @throws UserException if it cannot
   */
  public static void requireText(String what, String otherwise) {
    BufferedImage image = new BufferedImage(1, 1, BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = image.createGraphics();
    try {
      graphics.getFontMetrics(new Font(Font.SANS_SERIF, Font.PLAIN, 12)).stringWidth("step");
    } catch (RuntimeException | LinkageError | InternalError e) {
      throw new UserException(
          what
              + " cannot draw text on this machine ("
              + e.getMessage()
              + "); install fontconfig and a font, or "
              + otherwise,
          e);
    } finally {
      graphics.dispose();
    }
  }

  /** Returns {@code panels} drawn from the top down; each is 1800 pixels wide and 760 high. */
  public static BufferedImage of(List<ChartPanel> panels) {
    int last =
        panels.stream()
            .flatMap(panel -> panel.lines().stream())
            .filter(line -> !line.steps().isEmpty())
            .mapToInt(line -> line.steps().getLast())
            .max()
            .orElse(0);
    List<XYChart> charts = panels.stream().map(panel -> PanelStyle.chart(panel, last)).toList();
    BufferedImage image =
        new BufferedImage(
            PanelStyle.WIDTH * SCALE,
            PanelStyle.HEIGHT * SCALE * charts.size(),
            BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = image.createGraphics();
    try {
      graphics.setRenderingHint(
          RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
      graphics.scale(SCALE, SCALE);
      paint(charts, graphics);
    } finally {
      graphics.dispose();
    }
    return image;
  }

  /**
   * Paints the panels with aligned plots. The left margin of a plot depends on its labels, so each
   * is painted once to measure it, then shifted to the widest margin.
   */
  private static void paint(List<XYChart> charts, Graphics2D graphics) {
    graphics.setColor(Color.WHITE);
    graphics.fillRect(0, 0, PanelStyle.WIDTH, PanelStyle.HEIGHT * charts.size());
    BufferedImage seen = new BufferedImage(1, 1, BufferedImage.TYPE_INT_RGB);
    double[] left = new double[charts.size()];
    Graphics2D unseen = seen.createGraphics();
    try {
      for (int i = 0; i < left.length; i++) {
        charts.get(i).paint(unseen, PanelStyle.WIDTH, PanelStyle.HEIGHT);
        left[i] = charts.get(i).getScreenXFromChart(0);
      }
    } finally {
      unseen.dispose();
    }
    double most = Arrays.stream(left).max().orElse(0);
    for (int i = 0; i < left.length; i++) {
      int aside = (int) Math.round(most - left[i]);
      graphics.translate(aside, 0);
      charts.get(i).paint(graphics, PanelStyle.WIDTH - aside, PanelStyle.HEIGHT);
      graphics.translate(-aside, PanelStyle.HEIGHT);
    }
  }
}
