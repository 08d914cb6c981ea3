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
import org.junit.jupiter.api.io.TempDir;
import roll.api.tracking.Tracker;
import roll.api.tracking.Tracker.TrackedRun;
import roll.api.tracking.Tracking;
import roll.runtime.option.YamlOptions;

/**
 * The guarantees of every {@link Tracker}. A plugin's test extends this class, creates the tracker,
 * and inherits the tests.
 */
public abstract class TrackerContract {
  private static final int STEPS = 6;

  /** Returns a new instance of the tracker under test. */
  protected abstract Tracker tracker();

  /** Returns the {@code tracker_kwargs} to test with. */
  protected Map<String, Object> options() {
    return Map.of();
  }

  /**
   * Returns the contents of the files of a run by name, equal for equal metrics. The default has
   * the bytes of all files; a tracker that writes timestamps overrides it.
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

  @ContractTest(
      value =
          "Any metrics are accepted: names may change between steps, and values may be "
              + "infinite or NaN.",
      look = "log()")
  void anyMetricsAreAccepted(@TempDir Path folder) throws IOException {
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

  @ContractTest(value = "A run may end before its first step.", look = "open() and close()")
  void aRunMayEndBeforeItsFirstStep(@TempDir Path folder) throws IOException {
    open(run(folder, "nothing"), 0).close();
  }

  @ContractTest(
      value = "Flushed metrics are on disk: close() adds no file that a crash would lose.",
      look = "flush()")
  void flushedMetricsAreOnDisk(@TempDir Path folder) throws IOException {
    Path crashed = run(folder, "crashed");
    Tracking tracking = open(crashed, 0);
    log(tracking, 0, STEPS);
    tracking.flush();
    Map<String, String> seen = left(crashed);
    tracking.close();
    assertEquals(left(crashed).keySet(), seen.keySet());
  }

  @ContractTest(
      value = "A resumed run leaves the same files as an uninterrupted one.",
      look = "open(): remove the steps from firstStep on")
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

  @ContractTest(
      value = "Runs that are tracked at the same time do not see each other.",
      look = "static fields, and fields of the tracker that runs share")
  void runsAreIsolated(@TempDir Path folder) throws IOException {
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

  @ContractTest(
      value = "The options have names, descriptions and defaults of their own types.",
      look = "options()")
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
