package roll.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.tracking.Tracker;
import roll.api.tracking.Tracker.TrackedRun;
import roll.api.tracking.Tracking;
import roll.runtime.option.YamlOptions;

/**
 * What every {@link Tracker} must keep. A plugin's test extends this class, says how to make the
 * tracker, and inherits the tests.
 */
public abstract class TrackerContract {
  private static final int STEPS = 6;

  /** A new instance of the tracker under test. */
  protected abstract Tracker tracker();

  /** The {@code tracker_kwargs} to test with. */
  protected Map<String, Object> options() {
    return Map.of();
  }

  /**
   * What a run left behind in its folder, in a form that is equal where the metrics are. The
   * standard takes the bytes of all files; a tracker whose files have times in them says more.
   */
  protected Map<String, String> left(Path run) throws IOException {
    Map<String, String> files = new TreeMap<>();
    try (Stream<Path> all = Files.walk(run)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        files.put(
            run.relativize(file).toString(), Files.readString(file, StandardCharsets.ISO_8859_1));
      }
    }
    return files;
  }

  /** Metrics come and go, are infinite or no numbers at all, and none of that ends a run. */
  @Test
  void anyMetricsAreTaken(@TempDir Path folder) throws IOException {
    try (Tracking tracking = open(run(folder, "any"), 0)) {
      tracking.log(0, Map.of());
      tracking.notice("a line for a person");
      Map<String, Double> odd = new LinkedHashMap<>();
      odd.put("actor/nan", Double.NaN);
      odd.put("actor/most", Double.POSITIVE_INFINITY);
      odd.put("name with blanks, \"quotes\" and µ", -0.0);
      odd.put("", Double.MIN_VALUE);
      tracking.log(1, odd);
      tracking.flush();
      tracking.log(5, metrics(5)); // steps may be left out
    }
  }

  /** A run that ends before its first step is one all the same. */
  @Test
  void nothingMayHappen(@TempDir Path folder) throws IOException {
    open(run(folder, "nothing"), 0).close();
  }

  /** What was flushed is on disk: ending the run adds nothing that a crash would have lost. */
  @Test
  void flushedIsWritten(@TempDir Path folder) throws IOException {
    Path crashed = run(folder, "crashed");
    Tracking tracking = open(crashed, 0);
    log(tracking, 0, STEPS);
    tracking.flush();
    Map<String, String> seen = left(crashed);
    tracking.close();
    assertEquals(left(crashed).keySet(), seen.keySet());
  }

  /** A run that is resumed leaves what it would have left without the interruption. */
  @Test
  void resumingLosesAndDoublesNothing(@TempDir Path folder) throws IOException {
    Path whole = run(folder, "whole");
    try (Tracking tracking = open(whole, 0)) {
      log(tracking, 0, STEPS);
    }
    Path resumed = run(folder, "resumed");
    try (Tracking tracking = open(resumed, 0)) {
      log(tracking, 0, 4);
    }
    try (Tracking tracking = open(resumed, 2)) {
      log(tracking, 2, STEPS);
    }
    assertEquals(left(whole), left(resumed));
  }

  /** Runs that continue at the same time do not see each other. */
  @Test
  void runsAreApart(@TempDir Path folder) throws IOException {
    Path alone = run(folder, "alone");
    try (Tracking tracking = open(alone, 0)) {
      log(tracking, 0, STEPS);
    }
    Path one = run(folder, "one");
    Path other = run(folder, "other");
    Tracker tracker = tracker();
    try (Tracking first = tracker.open(tracked(one, 0));
        Tracking second = tracker.open(tracked(other, 0))) {
      for (int step = 0; step < STEPS; step++) {
        second.log(step, Map.of("of/the/other", -1.0));
        first.log(step, metrics(step));
      }
    }
    assertEquals(left(alone), left(one));
  }

  /** Its options have names, descriptions and defaults of their own types. */
  @Test
  void describesItself() {
    OptionDeclarations.check(tracker().options());
  }

  private static Path run(Path folder, String name) throws IOException {
    return Files.createDirectory(folder.resolve(name));
  }

  private Tracking open(Path run, int firstStep) {
    return tracker().open(tracked(run, firstStep));
  }

  private TrackedRun tracked(Path run, int firstStep) {
    return new TrackedRun(
        "test",
        run,
        STEPS,
        firstStep,
        YamlOptions.checked("tracker_kwargs", options(), tracker().options()));
  }

  private static void log(Tracking tracking, int from, int to) {
    for (int step = from; step < to; step++) {
      tracking.log(step, metrics(step));
    }
  }

  private static Map<String, Double> metrics(int step) {
    Map<String, Double> metrics = new LinkedHashMap<>();
    metrics.put("rollout/score/mean", step / 8.0);
    metrics.put("actor/lr", 1e-3);
    if (step % 2 == 0) {
      metrics.put("val/score/mean", step / 4.0);
    }
    return metrics;
  }
}
