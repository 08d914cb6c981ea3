package roll.tracking.chart;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import javax.imageio.ImageIO;
import javax.imageio.stream.MemoryCacheImageOutputStream;
import roll.api.option.UserException;
import roll.api.tracking.Tracking;

/** One run's curves: points are kept as they come, the picture is drawn every n steps. */
final class ChartTracking implements Tracking {
  private final Points points;
  private final LearningCurve curve;
  private final Path picture;
  private final int every;
  private int steps;

  ChartTracking(String title, Points points, Path picture, int every) {
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

  /** Draws beside and renames into place, so that a viewer never sees half a picture. */
  private void draw() {
    if (points.isEmpty()) {
      return;
    }
    Path beside = picture.resolveSibling("." + picture.getFileName());
    try {
      // a file that cannot be opened ImageIO would report with a stack trace of its own
      ByteArrayOutputStream png = new ByteArrayOutputStream();
      ImageIO.write(curve.draw(points), "png", new MemoryCacheImageOutputStream(png));
      Files.deleteIfExists(beside);
      Files.write(beside, png.toByteArray(), StandardOpenOption.CREATE_NEW);
      Files.move(
          beside, picture, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UserException(picture + ": cannot be written: " + e.getMessage(), e);
    }
  }
}
