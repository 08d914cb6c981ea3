package roll.tracking.tensorboard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.tracking.Tracker.TrackedRun;
import roll.api.tracking.Tracking;
import roll.testkit.TestOptions;
import roll.tracking.tensorboard.EventReader.Event;

class TensorboardTrackerTest {
  private static final Clock CLOCK =
      Clock.fixed(Instant.parse("2026-02-03T04:05:06.250Z"), ZoneOffset.UTC);

  @TempDir Path folder;

  @Test
  void checksumOfTheStandardTestVector() {
    // crc32c("123456789") = 0xe3069283; rotated right by 15 it is 0x2507c60d
    assertEquals(
        0x2507c60d + 0xa282ead8, MaskedCrc.masked("123456789".getBytes(StandardCharsets.US_ASCII)));
  }

  @Test
  void readsAFileOfTensorFlow() throws IOException {
    Path data = Path.of(System.getProperty("roll.root", ""), "../shared/data/tensorboard");
    Assumptions.assumeTrue(Files.exists(data), "no shared/data/tensorboard beside the repository");
    JsonObject all =
        JsonParser.parseString(Files.readString(data.resolve("expected.json"))).getAsJsonObject();
    for (var file : all.entrySet()) {
      List<Event> events = EventReader.read(data.resolve(file.getKey()));
      var expected = file.getValue().getAsJsonArray();
      assertEquals(expected.size(), events.size());
      for (int i = 0; i < events.size(); i++) {
        JsonObject event = expected.get(i).getAsJsonObject();
        assertEquals(event.get("step").getAsLong(), events.get(i).step());
        assertEquals(event.get("wall_time").getAsDouble(), events.get(i).wallTime(), 1e-6);
        Map<String, Float> scalars = new LinkedHashMap<>();
        for (JsonElement value : event.getAsJsonArray("values")) {
          JsonObject scalar = value.getAsJsonObject();
          scalars.put(scalar.get("tag").getAsString(), scalar.get("tensor_float").getAsFloat());
        }
        assertEquals(scalars, events.get(i).scalars());
      }
    }
  }

  @Test
  void whatIsLoggedReadsBack() throws IOException {
    Map<String, Double> metrics = new LinkedHashMap<>();
    metrics.put("val/score/mean", 0.25);
    metrics.put("critic/kl", Double.NaN);
    metrics.put("env/FrozenLake/success", 1.0);
    try (Tracking tracking = open(0)) {
      tracking.log(0, metrics);
      tracking.log(300, Map.of("val/score/mean", 0.5));
    }
    List<Event> events = EventReader.read(files().getFirst());
    assertEquals(4, events.size());
    assertEquals("brain.Event:2", events.get(0).fileVersion());
    assertEquals(1, events.get(1).sessionStatus());
    assertEquals(
        List.of("val/score/mean", "critic/kl", "env/FrozenLake/success"),
        List.copyOf(events.get(2).scalars().keySet()));
    assertEquals(Map.of("val/score/mean", 0.5f), events.get(3).scalars());
    assertEquals(300, events.get(3).step());
    for (Event event : events) {
      assertEquals(1770091506.25, event.wallTime());
    }
  }

  @Test
  void aDamagedFileIsNoticed() throws IOException {
    try (Tracking tracking = open(0)) {
      tracking.log(0, Map.of("a", 1.0));
    }
    Path file = files().getFirst();
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length - 6] ^= 1;
    Files.write(file, bytes);
    assertThrows(IOException.class, () -> EventReader.read(file));
  }

  @Test
  void aResumedRunReplacesTheStepsItDoesAgain() throws IOException {
    try (Tracking tracking = open(0)) {
      for (int step = 0; step < 6; step++) {
        tracking.log(step, Map.of("a", (double) step));
      }
    }
    try (Tracking tracking = open(4)) {
      for (int step = 4; step < 8; step++) {
        tracking.log(step, Map.of("a", 10.0 * step));
      }
    }
    assertEquals(2, files().size());
    assertEquals(List.of(0f, 1f, 2f, 3f, 40f, 50f, 60f, 70f), asTensorBoardShows("a"));
  }

  /** Also for readers that ignore sessions. */
  @Test
  void whatIsTakenAgainAndWhatIsTornIsRemoved() throws IOException {
    for (int first : new int[] {0, 2}) {
      try (Tracking tracking = open(first)) {
        tracking.log(first, Map.of("a", 1.0 * first));
        tracking.log(first + 1, Map.of("a", first + 1.0));
        tracking.log(first + 2, Map.of("a", first + 2.0));
      }
    }
    Path torn = files().getLast();
    byte[] bytes = Files.readAllBytes(torn);
    Files.write(torn, Arrays.copyOf(bytes, bytes.length - 3));
    open(4).close();
    List<Long> steps = new ArrayList<>();
    for (Path file : files()) {
      EventReader.read(file).stream()
          .filter(event -> !event.scalars().isEmpty())
          .forEach(event -> steps.add(event.step()));
    }
    assertEquals(List.of(0L, 1L, 2L, 3L), steps);
  }

  @Test
  void aPlaceThatCannotBeWrittenIsAUsersMistake() throws IOException {
    Files.writeString(folder.resolve("tensorboard"), "a file in the way");
    String message = userError(() -> open(0));
    assertTrue(message.contains("tensorboard: cannot be written"), message);
  }

  /** Runs with the same name never change each other's events. */
  @Test
  void runsOfOneFolderHaveFoldersOfTheirOwn() throws IOException {
    Path events = folder.resolve("events");
    for (String output : List.of("a", "b", "a")) {
      TensorboardTracker tracker = new TensorboardTracker(CLOCK);
      TrackedRun run =
          new TrackedRun(
              "lake",
              folder.resolve(output),
              9,
              2,
              TestOptions.of(
                  "tracker_kwargs", Map.of("log_dir", events.toString()), tracker.options()));
      try (Tracking tracking = tracker.open(run)) {
        tracking.log(2, Map.of("score", 1.0));
      }
    }
    try (Stream<Path> runs = Files.list(events)) {
      List<Path> folders = runs.sorted().toList();
      assertEquals(2, folders.size());
      for (Path run : folders) {
        assertTrue(run.getFileName().toString().matches("lake-[0-9a-f]{8}"), run.toString());
        assertEquals(1, steps(run), run.toString());
      }
    }
  }

  /** Counts scalars by step in all files of a folder; a restarted run has truncated its own. */
  private static long steps(Path run) throws IOException {
    long steps = 0;
    try (Stream<Path> files = Files.list(run)) {
      for (Path file : files.toList()) {
        steps += EventReader.read(file).stream().filter(e -> !e.scalars().isEmpty()).count();
      }
    }
    return steps;
  }

  private Tracking open(int firstStep) {
    return new TensorboardTracker(CLOCK)
        .open(
            new TrackedRun(
                "x",
                folder,
                10,
                firstStep,
                TestOptions.defaults(new TensorboardTracker(CLOCK).options())));
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(folder.resolve("tensorboard"))) {
      return files.sorted().toList();
    }
  }

  /** Applies TensorBoard's rule: a session start removes points of its step and later. */
  private List<Float> asTensorBoardShows(String tag) throws IOException {
    List<Event> points = new ArrayList<>();
    for (Path file : files()) {
      for (Event event : EventReader.read(file)) {
        if (event.sessionStatus() == 1) {
          points.removeIf(point -> point.step() >= event.step());
        } else if (event.scalars().containsKey(tag)) {
          points.add(event);
        }
      }
    }
    return points.stream().map(point -> point.scalars().getOrDefault(tag, Float.NaN)).toList();
  }
}
