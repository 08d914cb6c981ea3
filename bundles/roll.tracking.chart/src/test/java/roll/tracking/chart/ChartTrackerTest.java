package roll.tracking.chart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import roll.api.option.UserException;
import roll.api.tracking.Tracker.TrackedRun;
import roll.api.tracking.Tracking;
import roll.testkit.TestOptions;

class ChartTrackerTest {
  @TempDir Path folder;

  @Test
  void aWholeRunIsDrawn() throws IOException {
    log(0, 200, Map.of());
    BufferedImage image = picture();
    assertEquals(1800, image.getWidth());
    assertEquals(1520, image.getHeight()); // scores and success rates
    Set<Integer> colors = colors(image);
    assertTrue(colors.contains(0x1f6fb4), "no line for the validation");
    assertTrue(colors.contains(0xe07b2a), "no line for the training");
    assertTrue(colors.contains(0xe6e9ed), "no grid");
  }

  @Test
  void withoutSuccessRatesThereIsOnePanel() throws IOException {
    try (Tracking tracking = open(0, Map.of())) {
      tracking.log(0, Map.of("rollout/score/mean", -1.5, "actor/pg_loss", 3.0));
    }
    assertEquals(760, picture().getHeight());
    assertEquals(List.of("step,metric,value", "0,rollout/score/mean,-1.5"), rows());
  }

  @Test
  void itIsDrawnWhileTheRunGoesOn() throws IOException {
    try (Tracking tracking = open(0, Map.of("every", 2))) {
      tracking.log(0, Map.of("val/score/mean", 0.5));
      assertFalse(Files.exists(folder.resolve("learning-curve.png")));
      tracking.log(1, Map.of("rollout/score/mean", Double.NaN));
      assertEquals(760, picture().getHeight());
    }
  }

  @Test
  void aRunWithoutScoresHasNoPicture() {
    try (Tracking tracking = open(0, Map.of())) {
      tracking.log(0, Map.of("actor/pg_loss", 3.0));
    }
    assertFalse(Files.exists(folder.resolve("learning-curve.png")));
  }

  @Test
  void aResumedRunDrawsTheSamePictureAsAnUninterruptedOne() throws IOException {
    log(0, 40, Map.of());
    byte[] whole = Files.readAllBytes(folder.resolve("learning-curve.png"));
    List<String> rows = rows();

    log(0, 33, Map.of());
    Files.writeString(
        folder.resolve("learning-curve.csv"), "33,rollout/sc", StandardOpenOption.APPEND);
    log(30, 40, Map.of());
    assertEquals(rows, rows());
    assertTrue(
        java.util.Arrays.equals(whole, Files.readAllBytes(folder.resolve("learning-curve.png"))));
  }

  @Test
  void runningMean() {
    List<Double> values = List.of(1.0, 2.0, 3.0, 6.0, 9.0);
    assertEquals(List.of(1.0, 2.0, 11 / 3.0, 6.0, 9.0), RunningMean.of(values, 3));
    assertEquals(List.of(1.0, 2.0, 21 / 5.0, 6.0, 9.0), RunningMean.of(values, 9));
    assertEquals(values, RunningMean.of(values, 1));
  }

  /** A straight line equals its centered mean; a trailing mean would be below it. */
  @Test
  void theMeanDoesNotLagBehind() {
    List<Double> line = IntStream.range(0, 50).mapToObj(i -> (double) i).toList();
    assertEquals(line, RunningMean.of(line, 15));
  }

  @Test
  void whatIsMissingBreaksTheLine() {
    CurvePoints.Curve curve =
        new CurvePoints.Curve(List.of(0, 1, 2, 6, 7), List.of(1.0, 2.0, 3.0, 4.0, 5.0));
    assertEquals(2, curve.parts().size());
    CurvePoints.Curve broken = CurvePoints.Curve.joined(curve.parts());
    assertEquals(List.of(0, 1, 2, 3, 6, 7), broken.steps());
    assertEquals(List.of(1.0, 2.0, 3.0, Double.NaN, 4.0, 5.0), broken.values());
    CurvePoints.Curve sparse = new CurvePoints.Curve(List.of(0, 10, 20), List.of(1.0, 2.0, 3.0));
    assertEquals(List.of(sparse), sparse.parts());
    CurvePoints.Curve one = new CurvePoints.Curve(List.of(3), List.of(1.0));
    assertEquals(List.of(one), one.parts());
  }

  /** Counts the labels by the columns of the grid. */
  @Test
  void thereAreFewNumbersBelow() throws IOException {
    log(0, 200, Map.of());
    BufferedImage image = picture();
    long upright = 0;
    for (int x = 0; x < image.getWidth(); x++) {
      int in = 0;
      for (int y = 800; y < 1300; y++) {
        in += (image.getRGB(x, y) & 0xffffff) == 0xe6e9ed ? 1 : 0;
      }
      upright += in > 300 ? 1 : 0;
    }
    assertTrue(upright >= 2 * 4 && upright <= 2 * 8, () -> "pixels of grid lines of two each");
  }

  /** The grid begins in the same column in both panels. */
  @Test
  void thePanelsStandUnderEachOther() throws IOException {
    log(0, 200, Map.of());
    BufferedImage image = picture();
    assertEquals(leftmost(image, 0, 760), leftmost(image, 760, 1520), 1);
  }

  private static int leftmost(BufferedImage image, int from, int to) {
    for (int x = 0; x < image.getWidth(); x++) {
      for (int y = from; y < to; y++) {
        if ((image.getRGB(x, y) & 0xffffff) == 0xe6e9ed) {
          return x;
        }
      }
    }
    throw new AssertionError("no grid");
  }

  /** Series of any length, with gaps. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 30, 300})
  void runsOfAnyLengthAreDrawn(int steps) throws IOException {
    try (Tracking tracking = open(0, Map.of())) {
      for (int step = 0; step < steps; step++) {
        double score = step % 40 > 30 ? Double.NaN : -0.4 + 1.2 * step / steps;
        tracking.log(step, Map.of("rollout/score/mean", score));
        if (step % 10 == 0) {
          tracking.log(step, Map.of("val/env/Lake/success", 0.5 + 0.5 * step / steps));
        }
      }
    }
    assertTrue(colors(picture()).contains(0xe6e9ed), "no grid");
  }

  @Test
  void mistakesAreSaidInOneLine() throws IOException {
    UserException e = assertThrows(UserException.class, () -> open(0, Map.of("every", 0)));
    assertTrue(e.getMessage().startsWith("tracker_kwargs.chart.every: expected"), e.getMessage());

    Files.writeString(folder.resolve("learning-curve.csv"), "step,metric,value\nx,y,z\n");
    e = assertThrows(UserException.class, () -> open(0, Map.of()));
    assertTrue(e.getMessage().contains("learning-curve.csv line 2"), e.getMessage());
  }

  /** A run whose scores are a function of the step. */
  private void log(int from, int to, Map<String, Object> options) {
    try (Tracking tracking = open(from, options)) {
      for (int step = from; step < to; step++) {
        double level = 0.9 / (1 + Math.exp(-(step - 70) / 18.0));
        SplittableRandom noise = new SplittableRandom(step);
        Map<String, Double> metrics = new LinkedHashMap<>();
        if (step % 10 == 0) {
          metrics.put("val/score/mean", level + 0.05 + 0.02 * noise.nextDouble());
          metrics.put("val/env/FrozenLake/success", level + 0.08);
        }
        metrics.put("rollout/score/mean", level - 0.15 + 0.25 * noise.nextDouble());
        metrics.put("env/FrozenLake/success", Math.max(0, level - 0.1 + 0.2 * noise.nextDouble()));
        tracking.log(step, metrics);
      }
    }
  }

  private Tracking open(int firstStep, Map<String, Object> options) {
    return new ChartTracker()
        .open(
            new TrackedRun(
                "frozen_lake",
                folder,
                200,
                firstStep,
                TestOptions.of("tracker_kwargs.chart", options, new ChartTracker().options())));
  }

  private BufferedImage picture() throws IOException {
    return ImageIO.read(folder.resolve("learning-curve.png").toFile());
  }

  private List<String> rows() throws IOException {
    return Files.readAllLines(folder.resolve("learning-curve.csv"));
  }

  private static Set<Integer> colors(BufferedImage image) {
    Set<Integer> colors = new HashSet<>();
    for (int y = 0; y < image.getHeight(); y++) {
      for (int x = 0; x < image.getWidth(); x++) {
        colors.add(image.getRGB(x, y) & 0xffffff);
      }
    }
    return colors;
  }
}
