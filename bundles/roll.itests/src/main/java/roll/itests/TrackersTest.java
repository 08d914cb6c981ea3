package roll.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.InvalidSyntaxException;
import roll.api.option.Options;
import roll.api.tracking.Tracker;
import roll.api.tracking.Tracker.TrackedRun;
import roll.api.tracking.Tracking;
import roll.runtime.option.YamlOptions;

/** The output of trackers inside the framework, where each only has its imported packages. */
@Tag("framework")
@Timeout(60)
class TrackersTest {
  @Test
  void everyTrackerWritesItsFiles(@TempDir Path folder) throws IOException, InvalidSyntaxException {
    for (String id : new String[] {"stdout", "jsonl", "tensorboard", "chart"}) {
      track(id, folder);
    }
    assertEquals(
        "{\"step\":0,\"metrics\":{\"val/score/mean\":0.5}}",
        Files.readAllLines(folder.resolve("metrics.jsonl")).getFirst());
    assertEquals(1800, ImageIO.read(folder.resolve("learning-curve.png").toFile()).getWidth());
    try (Stream<Path> events = Files.list(folder.resolve("tensorboard"))) {
      assertTrue(
          events.findFirst().orElseThrow().getFileName().toString().startsWith("events.out"));
    }
  }

  private static void track(String id, Path folder) throws InvalidSyntaxException {
    Tracker tracker = SmallRuns.service(Tracker.class, "(roll.tracker=" + id + ")");
    Options options = YamlOptions.checked("tracker_kwargs", Map.of(), tracker.options());
    TrackedRun run = new TrackedRun("itest", folder, 2, 0, options);
    try (Tracking tracking = tracker.open(run)) {
      tracking.log(0, Map.of("val/score/mean", 0.5));
      tracking.log(1, Map.of("val/score/mean", 0.75));
    }
  }
}
