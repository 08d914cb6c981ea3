import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.Path2D;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;

/**
 * Draws a metric of several runs, a curve for each kind of run: the mean over its seeds, and a band
 * from minimum to maximum.
 *
 * <pre>
 * java cnf/src/SeedBands.java picture.png title metric "name=run folder,run folder" "level=0.31" …
 * </pre>
 *
 * <p>A run folder is one that holds {@code metrics.jsonl}; a number in place of folders is a dashed
 * line at that height. The vertical axis goes from 0 to 1.
 */
class SeedBands {
  private static final int WIDTH = 1500;
  private static final int HEIGHT = 640;
  private static final int LEFT = 90;
  private static final int TOP = 70;
  private static final int RIGHT = WIDTH - 40;
  private static final int BOTTOM = HEIGHT - 110;
  private static final Color INK = new Color(0x30363D);
  private static final List<Color> COLORS =
      List.of(
          new Color(0x1F6FB4),
          new Color(0xE07B26),
          new Color(0x2E8B57),
          new Color(0x8E5BA6),
          new Color(0x6E7781));

  private int last = 1;

  public static void main(String[] arguments) throws IOException {
    new SeedBands().draw(List.of(arguments));
  }

  /** Values by step, of each run. */
  private record Curve(String name, List<NavigableMap<Integer, Double>> runs, double level) {}

  private void draw(List<String> arguments) throws IOException {
    List<Curve> curves = new ArrayList<>();
    for (String argument : arguments.subList(3, arguments.size())) {
      int equals = argument.indexOf('=');
      curves.add(
          curve(argument.substring(0, equals), argument.substring(equals + 1), arguments.get(2)));
    }
    BufferedImage image = new BufferedImage(WIDTH, HEIGHT, BufferedImage.TYPE_INT_RGB);
    Graphics2D g = image.createGraphics();
    g.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
    g.setRenderingHint(
        RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
    g.setColor(Color.WHITE);
    g.fillRect(0, 0, WIDTH, HEIGHT);
    axes(g, arguments.get(1));
    int legend = LEFT;
    for (int i = 0; i < curves.size(); i++) {
      Color color = COLORS.get(i % COLORS.size());
      curve(g, curves.get(i), color);
      g.fillRect(legend, HEIGHT - 34, 30, 4);
      g.setColor(INK);
      g.drawString(curves.get(i).name(), legend + 38, HEIGHT - 26);
      legend += 38 + g.getFontMetrics().stringWidth(curves.get(i).name()) + 34;
    }
    g.dispose();
    ImageIO.write(image, "png", Path.of(arguments.get(0)).toFile());
  }

  private Curve curve(String name, String runs, String metric) throws IOException {
    if (runs.matches("[0-9.]+")) {
      return new Curve(name, List.of(), Double.parseDouble(runs));
    }
    List<NavigableMap<Integer, Double>> all = new ArrayList<>();
    Pattern value = Pattern.compile("\"" + Pattern.quote(metric) + "\":([-0-9.E]+)");
    Pattern step = Pattern.compile("\"(?:system/)?step\":([0-9]+)");
    for (String folder : Pattern.compile(",").splitAsStream(runs).toList()) {
      NavigableMap<Integer, Double> values = new TreeMap<>();
      for (String line : Files.readAllLines(Path.of(folder, "metrics.jsonl"))) {
        Matcher at = step.matcher(line);
        Matcher found = value.matcher(line);
        if (found.find() && at.find()) {
          values.put(Integer.parseInt(at.group(1)), Double.parseDouble(found.group(1)));
        }
      }
      last = Math.max(last, values.lastKey());
      all.add(values);
    }
    return new Curve(name, all, 0);
  }

  private static double y(double value) {
    return BOTTOM - value * (BOTTOM - TOP);
  }

  private double x(int step) {
    return LEFT + (RIGHT - LEFT) * (double) step / last;
  }

  private void axes(Graphics2D g, String title) {
    g.setFont(new Font(Font.SANS_SERIF, Font.BOLD, 24));
    g.setColor(INK);
    g.drawString(title, LEFT, 42);
    g.setFont(new Font(Font.SANS_SERIF, Font.PLAIN, 18));
    for (int i = 0; i <= 5; i++) {
      g.setColor(new Color(0xE3E6EA));
      g.drawLine(LEFT, (int) y(i / 5.0), RIGHT, (int) y(i / 5.0));
      g.setColor(INK);
      g.drawString("" + i / 5.0, LEFT - 42, (int) y(i / 5.0) + 6);
    }
    for (int step = 0; step <= last; step += Math.max(1, last / 10)) {
      g.drawString("" + step, (int) x(step) - 10, BOTTOM + 26);
    }
    g.drawString("step", (LEFT + RIGHT) / 2, BOTTOM + 52);
  }

  private void curve(Graphics2D g, Curve curve, Color color) {
    g.setColor(color);
    if (curve.runs().isEmpty()) {
      g.setStroke(new BasicStroke(2, 0, 0, 1, new float[] {9, 7}, 0));
      g.drawLine(LEFT, (int) y(curve.level()), RIGHT, (int) y(curve.level()));
      return;
    }
    Path2D mean = new Path2D.Double();
    Path2D upper = new Path2D.Double();
    List<double[]> lower = new ArrayList<>();
    for (int step : curve.runs().getFirst().keySet()) {
      double[] values =
          curve.runs().stream()
              .filter(run -> run.containsKey(step))
              .mapToDouble(run -> run.get(step))
              .toArray();
      double least = Arrays.stream(values).min().orElseThrow();
      double most = Arrays.stream(values).max().orElseThrow();
      to(mean, x(step), y(Arrays.stream(values).average().orElseThrow()));
      to(upper, x(step), y(most));
      lower.addFirst(new double[] {x(step), y(least)});
    }
    lower.forEach(point -> upper.lineTo(point[0], point[1]));
    upper.closePath();
    g.setColor(new Color(color.getRed(), color.getGreen(), color.getBlue(), 45));
    g.fill(upper);
    g.setColor(color);
    g.setStroke(new BasicStroke(3));
    g.draw(mean);
  }

  private static void to(Path2D path, double x, double y) {
    if (path.getCurrentPoint() == null) {
      path.moveTo(x, y);
    } else {
      path.lineTo(x, y);
    }
  }
}
