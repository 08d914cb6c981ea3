package roll.tracking.mlflow;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AutoClose;
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
class MlflowTrackerTest extends TrackerContract {
  private static final Patience PATIENCE =
      new Patience(100, Duration.ofMillis(1), Duration.ofMillis(10), Duration.ofSeconds(50));

  @AutoClose private final FakeMlflow server = new FakeMlflow();

  @TempDir Path folder;

  MlflowTrackerTest() throws IOException {}

  @Override
  protected Tracker tracker() {
    return new MlflowTracker(Map.of("MLFLOW_TRACKING_URI", server.address()), PATIENCE);
  }

  /** Returns the data of the run at the server, without times. */
  @Override
  protected Map<String, String> left(Path run) {
    // metrics are sent in the background
    TrackerRunFile file =
        await().until(() -> TrackerRunFile.read(run.resolve(MlflowRun.FILE)), Objects::nonNull);
    StringBuilder all = new StringBuilder();
    synchronized (server) { // more may still come
      for (JsonObject sent : server.metrics.getOrDefault(file.id(), List.of())) {
        JsonObject plain = sent.deepCopy();
        plain.remove("timestamp");
        all.append(plain).append('\n');
      }
    }
    return Map.of("metrics", all.toString());
  }

  private TrackedRun run(Map<String, Object> options) {
    return new TrackedRun(
        "lake",
        folder,
        9,
        0,
        TestOptions.of("tracker_kwargs.mlflow", options, tracker().options()));
  }

  @Test
  void aRunAsTheServerSeesIt() throws IOException {
    Files.writeString(
        folder.resolve("config.yaml"),
        "seed: 7\nalgo: {name: grpo, eps: [1, 2]}\nenvs: [{a: 1}]\n");
    Map<String, Object> options =
        Map.of("experiment_name", "my games", "tags", Map.of("team", "red"));
    try (Tracking tracking = tracker().open(run(options))) {
      Map<String, Double> metrics = new LinkedHashMap<>();
      metrics.put("val/mean@4", 0.5);
      metrics.put("nan", Double.NaN);
      tracking.log(3, metrics);
    }
    assertEquals(Map.of("my games", "1"), server.experiments);
    JsonObject made = server.runs.get("run0");
    assertTrue(made.remove("start_time").getAsLong() > 1_700_000_000_000L);
    assertEquals(
        JsonParser.parseString(
            """
            {"experiment_id":"1","run_name":"lake",
             "tags":[{"key":"mlflow.source.name","value":"roll"},{"key":"team","value":"red"}]}
            """),
        made);
    assertEquals(
        Map.of("seed", "7", "algo.name", "grpo", "algo.eps", "[1, 2]", "envs.0.a", "1"),
        server.parameters.get("run0"));
    JsonObject metric = server.metrics.get("run0").getFirst();
    assertTrue(metric.remove("timestamp").getAsLong() > 1_700_000_000_000L);
    assertEquals(
        JsonParser.parseString("{\"key\":\"val/mean_at_4\",\"value\":0.5,\"step\":3}"), metric);
    assertEquals("NaN", server.metrics.get("run0").get(1).get("value").getAsString());
    assertEquals(List.of("run0 FINISHED"), server.states);
  }

  @Test
  void aRunGoesOnAsTheSame() {
    for (int attempt = 0; attempt < 2; attempt++) {
      try (Tracking tracking = tracker().open(run(Map.of()))) {
        tracking.log(attempt, Map.of("a", 1.0));
      }
    }
    assertEquals(1, server.runs.size());
    assertEquals(1, server.experiments.size());
    assertEquals(List.of("run0 FINISHED", "run0 RUNNING", "run0 FINISHED"), server.states);
  }

  @Test
  void manyMetricsAreSeveralRequests() {
    Map<String, Double> metrics = new LinkedHashMap<>();
    for (int i = 0; i < 2500; i++) {
      metrics.put("m" + i, (double) i);
    }
    server.failures = 5;
    try (Tracking tracking = tracker().open(run(Map.of()))) {
      tracking.log(0, metrics);
    }
    assertEquals(List.of(1000, 1000, 500), server.batches);
    assertEquals(2500, server.metrics.get("run0").size());
  }

  @Test
  void whoSendsIsSaid() {
    Map<String, Object> options = new LinkedHashMap<>(Map.of("username", "u", "password", "p"));
    tracker().open(run(options)).close();
    options.put("auth_token", "t");
    tracker().open(run(options)).close();
    assertEquals(java.util.Set.of("Basic dTpw", "Bearer t"), new HashSet<>(server.senders()));
  }

  @Test
  void mistakesAreOneLine() {
    assertEquals(
        "tracker_kwargs.mlflow.tracking_uri: expected (or as MLFLOW_TRACKING_URI) an address such"
            + " as http://localhost:5000, or a folder, found 'sqlite:///a.db'",
        userError(() -> tracker().open(run(Map.of("tracking_uri", "sqlite:///a.db")))));
  }

  @Test
  void namesAreThoseThatMlflowTakes() {
    assertEquals("val/score/mean_at_4", MlflowNames.of("val/score/mean@4"));
    assertEquals("a b_c", MlflowNames.of("a b\"c"));
    assertEquals("a/b", MlflowNames.of("//a//b/"));
    assertEquals("unnamed", MlflowNames.of(""));
  }
}
