package roll.tracking.chart;

import java.awt.Color;
import java.awt.image.BufferedImage;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import roll.chart.ChartImage;
import roll.chart.ChartLine;
import roll.chart.ChartPanel;
import roll.tracking.chart.CurvePoints.Curve;

/**
 * The picture: scores above success rates; validation is a strong line with a mark per point,
 * training is pale with its running mean.
 */
final class LearningCurve {
  private static final float STRONG = 2.2f;
  private static final float FINE = 1.2f;
  private static final Color[] VALIDATION = {
    new Color(0x1f, 0x6f, 0xb4), new Color(0x2b, 0x8a, 0x57), new Color(0x7d, 0x4f, 0xa8)
  };
  private static final Color[] TRAINING = {
    new Color(0xe0, 0x7b, 0x2a), new Color(0xb8, 0x8a, 0x1e), new Color(0xc0, 0x4b, 0x6b)
  };

  private final String run;

  /** The picture of the run {@code run}. */
  LearningCurve(String run) {
    this.run = run;
  }

  /** Draws all of {@code points}, one panel below the other, on one axis of steps. */
  BufferedImage draw(CurvePoints points) {
    List<Panel> shown =
        Stream.of(Panel.values())
            .filter(panel -> points.curves().keySet().stream().anyMatch(panel::shows))
            .toList();
    List<ChartPanel> panels = new ArrayList<>();
    for (Panel panel : shown) {
      panels.add(panel(panel, panels.isEmpty() ? title(shown) : "", points.curves()));
    }
    return ChartImage.of(panels);
  }

  /** Returns the title: the name of the run and what the panels show. */
  private String title(List<Panel> shown) {
    String name = run.replaceAll("[_-]+", " ").strip();
    String first = name.isEmpty() ? "" : name.substring(0, 1).toUpperCase(Locale.ROOT);
    String what =
        shown.stream()
            .map(panel -> panel.label().toLowerCase(Locale.ROOT))
            .collect(Collectors.joining(" and "));
    return first + name.substring(first.length()) + ": " + what + " by training step";
  }

  private static ChartPanel panel(Panel panel, String title, Map<String, Curve> curves) {
    List<ChartLine> lines = new ArrayList<>();
    int training = 0;
    int validation = 0;
    for (String name : curves.keySet().stream().filter(panel::shows).sorted().toList()) {
      Curve curve = Objects.requireNonNull(curves.get(name));
      if (name.startsWith("val/")) {
        Color color = VALIDATION[validation++ % VALIDATION.length];
        String label = panel.legend(name);
        lines.add(new ChartLine(label, curve.steps(), curve.values(), color, STRONG, true, true));
      } else {
        Color color = TRAINING[training++ % TRAINING.length];
        addTraining(lines, panel.legend(name), curve, color);
      }
    }
    return new ChartPanel(title, panel.label(), panel == Panel.SUCCESS, List.of(), lines);
  }

  private static void addTraining(List<ChartLine> lines, String label, Curve curve, Color color) {
    int window =
        Math.max(0, curve.values().size() / 40) * 2 + 1; // odd: the same number before and after
    Color pale = new Color(color.getRed(), color.getGreen(), color.getBlue(), 80);
    List<Curve> parts = curve.parts();
    Curve raw = Curve.joined(parts);
    boolean alone = window == 1;
    lines.add(
        new ChartLine(
            label + " (each step)",
            raw.steps(),
            raw.values(),
            alone ? color : pale,
            alone ? STRONG : FINE,
            false,
            alone));
    if (!alone) {
      String smooth = label + " (mean of " + window + " steps)";
      Curve mean = Curve.joined(parts.stream().map(part -> part.smooth(window)).toList());
      lines.add(new ChartLine(smooth, mean.steps(), mean.values(), color, STRONG, false, true));
    }
  }
}
