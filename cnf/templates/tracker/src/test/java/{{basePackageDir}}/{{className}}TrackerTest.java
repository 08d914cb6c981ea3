package {{basePackageName}};

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.tracking.Tracker;
import roll.api.tracking.Tracker.TrackedRun;
import roll.api.tracking.Tracking;
import roll.testkit.TestOptions;
import roll.testkit.TrackerContract;

/** The contract of all trackers, and what this one writes. */
class {{className}}TrackerTest extends TrackerContract {
  @Override
  protected Tracker tracker() {
    return new {{className}}Tracker();
  }

  @Test
  void aRowIsStepMetricAndValue(@TempDir Path folder) throws IOException {
    var options = TestOptions.of("test", Map.of("separator", ";"), tracker().options());
    TrackedRun run = new TrackedRun("test", folder, 10, 0, options);
    try (Tracking tracking = tracker().open(run)) {
      tracking.log(3, Map.of("val/score/mean", 0.25));
    }
    assertEquals(
        List.of("3;\"val/score/mean\";0.25"),
        Files.readAllLines(folder.resolve("{{projectName}}.csv")));
  }
}
