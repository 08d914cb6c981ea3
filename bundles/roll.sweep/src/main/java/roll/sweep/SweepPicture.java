package roll.sweep;

import java.awt.Color;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.chart.ChartBand;
import roll.chart.ChartFile;
import roll.chart.ChartImage;
import roll.chart.ChartLine;
import roll.chart.ChartPanel;
import roll.runtime.sweep.SeedGroup;
import roll.runtime.sweep.SweepResult;
import roll.runtime.sweep.SweptRun.CurvePoint;

/**
 * Plots {@code sweep.png}: the mean curve of each combination with a band from minimum to maximum
 * over its seeds.
 */
final class SweepPicture {
  static final String FILE = "sweep.png";
  private static final float STRONG = 2.2f;

  /** Maximum number of points that are drawn with markers. */
  private static final int MARKED = 60;

  private static final List<Color> COLORS =
      List.of(
          new Color(0x1f, 0x6f, 0xb4),
          new Color(0xe0, 0x7b, 0x2a),
          new Color(0x2b, 0x8a, 0x57),
          new Color(0x7d, 0x4f, 0xa8),
          new Color(0xc0, 0x4b, 0x6b),
          new Color(0xb8, 0x8a, 0x1e),
          new Color(0x2a, 0x9d, 0xa8),
          new Color(0x5c, 0x66, 0x70));

  private SweepPicture() {}

  /**
   * Plots {@code result} into its folder; returns it with the picture, or with a notice why there
   * is none.
   */
  static SweepResult draw(SweepResult result) {
    Path file = Path.of(result.folder()).resolve(FILE);
    String metric = result.metric();
    List<String> notices = new ArrayList<>(result.notices());
    ChartPanel panel = metric == null ? null : panel(result, metric);
    if (panel == null) {
      notices.add("no picture: no finished run has a curve");
      return with(result, null, notices);
    }
    try {
      ChartImage.requireText("sweep", "use the numbers of --json");
      ChartFile.write(file, ChartImage.of(List.of(panel)));
      return with(result, file.toString(), notices);
    } catch (UserException e) {
      notices.add("no picture: " + e.getMessage());
      return with(result, null, notices);
    }
  }

  private static SweepResult with(
      SweepResult result, @Nullable String picture, List<String> notices) {
    return new SweepResult(
        result.folder(),
        result.command(),
        result.metric(),
        result.least(),
        result.runs(),
        result.groups(),
        picture,
        notices);
  }

  /** Returns the panel, or null if there is nothing to draw. */
  private static @Nullable ChartPanel panel(SweepResult result, String metric) {
    List<ChartBand> bands = new ArrayList<>();
    List<ChartLine> lines = new ArrayList<>();
    boolean several = false;
    for (SeedGroup group : result.groups()) {
      if (group.mean().isEmpty()) {
        continue;
      }
      Color color = COLORS.get(lines.size() % COLORS.size());
      List<Integer> steps = group.mean().stream().map(CurvePoint::step).toList();
      if (group.counted() > 1) {
        several = true;
        bands.add(
            new ChartBand(
                group.name() + " (band)",
                steps,
                values(group.leastCurve()),
                values(group.greatestCurve()),
                new Color(color.getRed(), color.getGreen(), color.getBlue(), 48)));
      }
      String label = "%s (%d)".formatted(group.name(), group.counted());
      boolean marks = steps.size() <= MARKED;
      lines.add(new ChartLine(label, steps, values(group.mean()), color, STRONG, marks, true));
    }
    String seeds = several ? ": mean over seeds (band: min–max)" : "";
    return lines.isEmpty()
        ? null
        : new ChartPanel(
            title(result.folder()) + seeds, metric, metric.endsWith("/success"), bands, lines);
  }

  /** Returns the experiment name as a title. */
  private static String title(String folder) {
    String name =
        Objects.requireNonNull(Path.of(folder).toAbsolutePath().normalize().getFileName())
            .toString()
            .replaceFirst("-sweep$", "")
            .replaceAll("[_-]+", " ")
            .strip();
    return name.isEmpty()
        ? name
        : name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
  }

  private static List<Double> values(List<CurvePoint> curve) {
    return curve.stream().map(CurvePoint::value).toList();
  }
}
