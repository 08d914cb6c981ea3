package roll.sweep;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.option.UserException;
import roll.runtime.sweep.SeedGroup;
import roll.runtime.sweep.SeedGroup.Spread;
import roll.runtime.sweep.SweepResult;
import roll.runtime.sweep.SweptRun;
import roll.runtime.sweep.SweptRun.CurvePoint;
import roll.runtime.sweep.SweptRun.State;

/** Figures and picture of runs whose metrics are written here. */
class SweepSummaryTest {
  private static final String SUCCESS = "val/env/Lake/success";

  @TempDir Path folder;
  private final List<SweepRecord.Entry> runs = new ArrayList<>();

  /**
   * By hand: 0.6, 0.7, 0.9 have the mean 0.7333 and, of squares 0.0467 over 2, 0.1528 around it.
   */
  @Test
  void theSpreadIsThatOfASample() {
    Spread spread = Objects.requireNonNull(SeedStatistics.spread(List.of(0.6, 0.7, 0.9)));
    assertEquals(2.2 / 3, spread.mean(), 1e-12);
    assertEquals(0.15275252316519464, (double) Objects.requireNonNull(spread.deviation()), 1e-12);
    assertEquals(0.6, spread.least());
    assertEquals(0.9, spread.greatest());
    assertNull(Objects.requireNonNull(SeedStatistics.spread(List.of(0.5))).deviation());
    assertNull(SeedStatistics.spread(List.of()));
  }

  @Test
  void seedsAreOneCombination() throws IOException {
    run(State.FINISHED, Map.of("lr", "1", "seed", "1"), 0.1, 0.8, 0.6);
    run(State.FINISHED, Map.of("lr", "1", "seed", "2"), 0.3, 0.4, 0.8);
    run(State.FINISHED, Map.of("lr", "2", "seed", "1"), 0.2, 0.2, 0.2);
    SweepResult result = summary(null);
    assertEquals(SUCCESS, result.metric());
    assertFalse(result.least());
    assertEquals(List.of("lr=1", "lr=2"), result.groups().stream().map(SeedGroup::name).toList());
    SeedGroup first = result.groups().getFirst();
    assertEquals(0.7, Objects.requireNonNull(first.last()).mean(), 1e-12);
    assertEquals(0.8, Objects.requireNonNull(first.best()).mean(), 1e-12);
    assertEquals(List.of(10, 20), first.bestSteps());
    assertEquals(List.of(0, 10, 20), first.mean().stream().map(CurvePoint::step).toList());
    assertEquals(0.6, first.mean().get(1).value(), 1e-12);
    assertEquals(0.4, first.leastCurve().get(1).value());
    assertEquals(0.8, first.greatestCurve().get(1).value());
    assertEquals(
        0, Objects.requireNonNull(result.runs().getLast().bestStep())); // the first of equals
  }

  @Test
  void whatAllRunsHaveAlikeNamesNoCombination() throws IOException {
    run(State.FINISHED, Map.of("lr", "1", "track_with", "jsonl", "seed", "1"), 0.1);
    assertEquals("all seeds", summary(null).groups().getFirst().name());
    run(State.FINISHED, Map.of("lr", "2", "track_with", "jsonl", "seed", "1"), 0.1);
    SweepResult result = summary(null);
    assertEquals(List.of("lr=1", "lr=2"), result.groups().stream().map(SeedGroup::name).toList());
    assertEquals(Map.of("lr", "2", "track_with", "jsonl"), result.groups().getLast().values());
  }

  /** Failed and unfinished runs are listed but not part of a mean. */
  @Test
  void onlyWhatIsFinishedCounts() throws IOException {
    run(State.FINISHED, Map.of("seed", "1"), 0.1, 0.8);
    run(State.FAILED, Map.of("seed", "2"), 0.0);
    run(State.WAITING, Map.of("seed", "3"));
    SweepResult result = summary(null);
    SeedGroup all = result.groups().getFirst();
    assertEquals("all seeds", all.name());
    assertEquals(3, all.runs());
    assertEquals(1, all.counted());
    assertEquals(0.8, Objects.requireNonNull(all.last()).mean());
    assertNull(result.runs().getLast().last());
    assertEquals(0.0, result.runs().get(1).last());
  }

  @Test
  void ofALossTheLeastIsBest() throws IOException {
    SweepRecord.Entry entry = entry(State.FINISHED, Map.of("seed", "1"));
    write(
        entry,
        """
        {"step":0,"metrics":{"sft/loss":2.5,"sft/lr":null}}
        {"step":1,"metrics":{"sft/loss":0.5,"sft/lr":1}}
        noise
        {"step":2,"metrics":{"sft/loss":0.75}}
        {"step":3,"met\
        """);
    SweepResult result = summary(null);
    assertEquals("sft/loss", result.metric());
    assertTrue(result.least());
    SweptRun run = result.runs().getFirst();
    assertEquals(0.5, run.best());
    assertEquals(1, run.bestStep());
    assertEquals(0.75, run.last());
    assertEquals(3, run.steps());
  }

  @Test
  void anUnknownMetricNamesTheKnown() throws IOException {
    run(State.FINISHED, Map.of("seed", "1"), 0.1);
    UserException e = assertThrows(UserException.class, () -> summary("val/env/Lake/sucess"));
    assertEquals(
        "sweep: --metric: no run has 'val/env/Lake/sucess'; did you mean 'val/env/Lake/success'?"
            + " Known: val/env/Lake/success",
        e.getMessage());
    runs.clear();
    entry(State.WAITING, Map.of("seed", "9"));
    e = assertThrows(UserException.class, () -> summary("x"));
    assertTrue(e.getMessage().contains("no run in " + folder + " has written metrics"));
  }

  @Test
  void theStandardMetricIsTheSuccessOfOneEnvironment() {
    assertEquals("val/env/A/success", MetricChoice.defaultOf(names("val/env/A/success")));
    assertEquals(
        "val/score/mean",
        MetricChoice.defaultOf(names("val/env/A/success", "val/env/B/success", "val/score/mean")));
    assertEquals("sft/val_loss", MetricChoice.defaultOf(names("sft/loss", "sft/val_loss")));
    assertNull(MetricChoice.defaultOf(names("actor/lr")));
    assertTrue(MetricChoice.lowerIsBetter("actor/approx_kl"));
    assertFalse(MetricChoice.lowerIsBetter("val/score/mean"));
  }

  /** A band of two seeds is blue where both colors mix, the line over it is strong. */
  @Test
  void thePictureHasLineAndBand() throws IOException {
    for (int seed = 1; seed < 3; seed++) {
      double far = seed == 1 ? 0.2 : 0.8;
      run(
          State.FINISHED,
          Map.of("seed", "" + seed),
          IntStream.range(0, 20).mapToDouble(i -> far).toArray());
    }
    SweepResult drawn = SweepPicture.draw(summary(null));
    assertEquals(folder.resolve("sweep.png").toString(), drawn.picture());
    BufferedImage image = ImageIO.read(folder.resolve("sweep.png").toFile());
    assertEquals(1800, image.getWidth());
    int line = 0;
    int band = 0;
    for (int y = 0; y < image.getHeight(); y++) {
      int color = image.getRGB(900, y) & 0xffffff;
      line += color == 0x1f6fb4 ? 1 : 0;
      band += (color >> 16 & 255) > 0xb0 && (color & 255) - (color >> 16 & 255) > 10 ? 1 : 0;
    }
    assertTrue(line > 1, "no line in the middle: " + line);
    assertTrue(band > 150, "no band around it: " + band);
    runs.clear();
    entry(State.WAITING, Map.of("seed", "1"));
    SweepResult none = SweepPicture.draw(summary(null));
    assertNull(none.picture());
    assertEquals(
        List.of("no picture: no finished run has a curve"), Objects.requireNonNull(none.notices()));
  }

  private static java.util.Set<String> names(String... names) {
    return new java.util.TreeSet<>(List.of(names));
  }

  private SweepResult summary(String metric) {
    SweepRecord record = new SweepRecord("train", "lake.yaml", List.of("seed"), runs);
    record.write(folder);
    assertEquals(record, SweepRecord.read(folder));
    SweepResult result = SweepSummary.of(folder, record, metric);
    assertNotNull(result);
    return result;
  }

  private SweepRecord.Entry entry(State state, Map<String, String> values) {
    Map<String, String> ordered = new LinkedHashMap<>(values);
    SweepRecord.Entry entry =
        new SweepRecord.Entry(
            "lake_" + new Combination(ordered).folder(), ordered, "digest", state, null);
    runs.add(entry);
    return entry;
  }

  private void run(State state, Map<String, String> values, double... curve) throws IOException {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < curve.length; i++) {
      lines.append("{\"step\":%d,\"metrics\":{\"%s\":%s}}\n".formatted(10 * i, SUCCESS, curve[i]));
    }
    write(entry(state, values), lines.toString());
  }

  private void write(SweepRecord.Entry entry, String lines) throws IOException {
    Path own = Files.createDirectories(folder.resolve(entry.folder()));
    Files.writeString(own.resolve(MetricsReader.FILE), lines);
  }
}
