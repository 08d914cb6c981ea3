package roll.core.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.option.UserException;
import roll.api.tracking.RunEnd;
import roll.api.tracking.RunEnd.State;
import roll.api.tracking.Tracker;
import roll.api.tracking.Tracking;
import roll.core.output.RunLog;
import roll.runtime.config.RunConfig;
import roll.runtime.pipeline.TrainingRun.Outcome;
import roll.testkit.ExampleRunConfigs;
import roll.testkit.InMemoryPluginRegistry;

/** The end of a run, as trackers get it. */
class CompositeTrackingTest {
  private final List<RunEnd> ends = new ArrayList<>();
  private final Path folder;

  CompositeTrackingTest(@TempDir Path folder) {
    this.folder = folder;
  }

  private void run(CompositeTracking.Steps steps) throws Exception {
    RunConfig run = ExampleRunConfigs.tracked(ExampleRunConfigs.small(folder, 1), "ends");
    var plugins = new InMemoryPluginRegistry().with("roll.tracker", "ends", new Ends());
    try (RunLog log = new RunLog(folder);
        CompositeTracking tracking = new CompositeTracking(plugins, log)) {
      tracking.openMissing(run, 0);
      tracking.perform(steps, () -> 7);
    }
  }

  @Test
  void everyEndIsReported() throws Exception {
    run(() -> new Outcome(9, false, Map.of()));
    run(() -> new Outcome(4, true, Map.of()));
    assertThrows(
        UserException.class,
        () ->
            run(
                () -> {
                  throw new UserException("no space");
                }));
    assertThrows(
        IOException.class,
        () ->
            run(
                () -> {
                  throw new IOException("lost");
                }));
    assertEquals(
        List.of(
            new RunEnd(State.FINISHED, 9, ""),
            new RunEnd(State.INTERRUPTED, 4, ""),
            new RunEnd(State.FAILED, 7, "no space"),
            new RunEnd(State.FAILED, 7, "java.io.IOException: lost")),
        ends);
  }

  /** Keeps the ends. */
  private final class Ends implements Tracker {
    @Override
    public Tracking open(TrackedRun run) {
      return new Tracking() {
        @Override
        public void log(int step, Map<String, Double> metrics) {}

        @Override
        public void ended(RunEnd end) {
          ends.add(end);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };
    }
  }
}
