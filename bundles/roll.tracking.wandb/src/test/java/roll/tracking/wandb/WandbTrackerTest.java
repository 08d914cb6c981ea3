package roll.tracking.wandb;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.api.tracking.Tracker;
import roll.api.tracking.Tracker.TrackedRun;
import roll.api.tracking.Tracking;
import roll.remote.MetricsUploadQueue.Patience;
import roll.remote.TrackerRunFile;
import roll.testkit.TestOptions;
import roll.testkit.TrackerContract;

@Timeout(60)
class WandbTrackerTest extends TrackerContract {
  private static final Patience PATIENCE =
      new Patience(100, Duration.ofMillis(1), Duration.ofMillis(10), Duration.ofSeconds(50));

  private final FakeWandb server = new FakeWandb();

  @TempDir Path folder;

  WandbTrackerTest() throws IOException {}

  @AfterEach
  void close() {
    server.close();
    assertEquals(List.of(), server.problems);
  }

  @Override
  protected Tracker tracker() {
    return new WandbTracker(Map.of("WANDB_API_KEY", FakeWandb.KEY), PATIENCE);
  }

  @Override
  protected Map<String, Object> options() {
    return Map.of("base_url", server.address() + "/");
  }

  /** Returns the data of the run at the server, without times. */
  @Override
  protected Map<String, String> left(Path run) {
    // metrics are sent in the background
    TrackerRunFile file =
        await().until(() -> TrackerRunFile.read(run.resolve(WandbRun.FILE)), Objects::nonNull);
    StringBuilder all = new StringBuilder();
    synchronized (server) { // more may still come
      for (JsonObject sent : server.history.getOrDefault(file.id(), List.of())) {
        JsonObject plain = sent.deepCopy();
        plain.remove("_timestamp");
        plain.remove("_runtime");
        all.append(plain).append('\n');
      }
    }
    return Map.of("history", all.toString());
  }

  private TrackedRun run(Map<String, Object> options) {
    return new TrackedRun(
        "lake", folder, 9, 0, TestOptions.of("tracker_kwargs.wandb", options, tracker().options()));
  }

  @Test
  void aRunAsTheServerSeesIt() throws IOException {
    Files.writeString(
        folder.resolve("config.yaml"), "seed: 7\nalgo: {name: grpo, eps: [1, 2.5]}\n");
    Map<String, Object> options = new LinkedHashMap<>(options());
    options.put("group", "g");
    options.put("tags", List.of("x", "y"));
    try (Tracking tracking = tracker().open(run(options))) {
      Map<String, Double> metrics = new LinkedHashMap<>();
      metrics.put("loss", 0.5);
      metrics.put("nan", Double.NaN);
      metrics.put("most", Double.NEGATIVE_INFINITY);
      tracking.log(3, metrics);
      tracking.log(4, Map.of("loss", 0.25));
    }
    JsonObject upsert = server.upserts.getFirst();
    String id = upsert.remove("name").getAsString();
    assertTrue(id.matches("[0-9a-f]{8}"), id);
    assertEquals(
        JsonParser.parseString(
            """
            {"project":"roll","entity":null,"displayName":"lake","groupName":"g","tags":["x","y"],
             "config":"{\\"seed\\":{\\"value\\":7},\\"algo\\":{\\"value\\":{\\"name\\":\\"grpo\\",\\"eps\\":[1,2.5]}}}"}
            """),
        upsert);
    JsonObject line = server.history.get(id).getFirst();
    assertTrue(line.remove("_timestamp").getAsDouble() > 1.7e9);
    assertTrue(line.remove("_runtime").getAsDouble() >= 0);
    assertEquals(
        JsonParser.parseString("{\"loss\":0.5,\"nan\":\"NaN\",\"most\":\"-Infinity\",\"_step\":3}"),
        line);
    JsonObject summary = server.summaries.get(id);
    assertEquals(0.25, summary.get("loss").getAsDouble());
    assertEquals("NaN", summary.get("nan").getAsString());
    assertEquals(4, summary.get("_step").getAsInt());
    assertEquals(List.of(id + " true 0"), server.ended);
  }

  @Test
  void troubleOfTheNetworkLosesNothing() {
    server.failures = 7;
    try (Tracking tracking = tracker().open(run(options()))) {
      for (int step = 0; step < 50; step++) {
        tracking.log(step, Map.of("a", (double) step));
      }
    }
    List<JsonObject> lines = server.history.values().iterator().next();
    assertEquals(50, lines.size());
    assertEquals(49, lines.getLast().get("_step").getAsInt());
  }

  @Test
  void aRefusalEndsSendingAndNothingElse() {
    server.failures = 1000;
    server.failure = 401;
    try (Tracking tracking = tracker().open(run(options()))) {
      tracking.log(0, Map.of("a", 1.0));
    }
    assertTrue(server.history.isEmpty());
    assertEquals(999, server.failures);
  }

  @Test
  void withoutAKeyOrWhereDisabledNothingIsSent() throws IOException {
    for (Map<String, String> environment :
        List.of(
            Map.<String, String>of(),
            Map.of("WANDB_API_KEY", " "),
            Map.of("WANDB_API_KEY", "k", "WANDB_MODE", "disabled"))) {
      try (Tracking tracking = new WandbTracker(environment, PATIENCE).open(run(options()))) {
        tracking.log(0, Map.of("a", 1.0));
        tracking.flush();
      }
    }
    assertTrue(server.upserts.isEmpty());
    try (Stream<Path> files = Files.list(folder)) {
      assertFalse(files.findAny().isPresent());
    }
  }

  @Test
  void mistakesAreOneLine() {
    assertEquals(
        "tracker_kwargs.wandb.base_url: expected an address such as https://api.wandb.ai, found"
            + " 'here'",
        userError(() -> tracker().open(run(Map.of("base_url", "here")))));
    assertEquals(
        "tracker_kwargs.wandb.mode: expected one of online, offline, disabled, found 'on'",
        userError(() -> tracker().open(run(Map.of("mode", "on")))));
  }
}
