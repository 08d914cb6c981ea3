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
import org.osgi.framework.BundleContext;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;
import roll.api.option.Options;
import roll.api.tracking.Tracker;
import roll.api.tracking.Tracker.TrackedRun;
import roll.api.tracking.Tracking;
import roll.runtime.option.YamlOptions;

/** What trackers write inside the framework, where each sees only the packages it imports. */
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
    BundleContext context = Plugins.context();
    ServiceReference<Tracker> reference =
        context.getServiceReferences(Tracker.class, "(roll.tracker=" + id + ")").iterator().next();
    Tracker tracker = context.getService(reference);
    Options options = YamlOptions.checked("tracker_kwargs", Map.of(), tracker.options());
    TrackedRun run = new TrackedRun("itest", folder, 2, 0, options);
    try (Tracking tracking = tracker.open(run)) {
      tracking.log(0, Map.of("val/score/mean", 0.5));
      tracking.log(1, Map.of("val/score/mean", 0.75));
    } finally {
      context.ungetService(reference);
    }
  }
}
