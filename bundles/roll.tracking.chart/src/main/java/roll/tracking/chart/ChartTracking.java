package roll.tracking.chart;

import java.nio.file.Path;
import java.util.Map;
import roll.api.tracking.Tracking;
import roll.chart.ChartFile;

/**
 * The curves of one run: points are recorded with each step, the picture is drawn every n steps.
 */
final class ChartTracking implements Tracking {
  private final CurvePoints points;
  private final LearningCurve curve;
  private final Path picture;
  private final int every;
  private int steps;

  ChartTracking(String title, CurvePoints points, Path picture, int every) {
    this.points = points;
    this.picture = picture;
    this.every = every;
    curve = new LearningCurve(title);
  }

  @Override
  public void log(int step, Map<String, Double> metrics) {
    points.add(step, metrics);
    if (++steps % every == 0) {
      draw();
    }
  }

  @Override
  public void flush() {
    points.flush();
  }

  @Override
  public void close() {
    try (points) {
      draw();
    }
  }

  private void draw() {
    if (points.isEmpty()) {
      return;
    }
    ChartFile.write(picture, curve.draw(points));
  }
}
