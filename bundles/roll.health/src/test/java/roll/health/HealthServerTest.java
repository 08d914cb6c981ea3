package roll.health;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import roll.runtime.pipeline.RunStatus;
import roll.runtime.pipeline.RunStatus.State;
import roll.runtime.pipeline.TrainingRun;

@NullMarked
class HealthServerTest {
  private final List<String> problems = new ArrayList<>();
  private final List<TrainingRun> runs = new ArrayList<>();
  private final HealthServer server =
      HealthServer.start(
          new HealthSettings.Place(InetAddress.getLoopbackAddress(), 0, List.of()),
          new HealthPages(() -> problems, () -> runs));
  private final HttpClient client = HttpClient.newHttpClient();

  @AfterEach
  void close() {
    client.close();
    server.close();
  }

  /** A run in one state. */
  private record Shown(int number, State state) implements TrainingRun {
    @Override
    public String name() {
      return "lake \"A\"";
    }

    @Override
    public List<String> notices() {
      return List.of();
    }

    @Override
    public Path folder() {
      return Path.of("output", "lake");
    }

    @Override
    public RunStatus status() {
      String why = state == State.FAILED ? "disk full" : null;
      Map<String, Double> metrics =
          Map.of("time/step_total", 1.5, "val/score/mean", 0.25, "critic/kl", Double.NaN);
      return new RunStatus(
          state, 7, 10, "rollout", why, "roll.loss.ppo 1.0.0", Instant.EPOCH, null, metrics);
    }

    @Override
    public void pause() {}

    @Override
    public void resume() {}

    @Override
    public void stop() {}

    @Override
    public List<String> swap(String kind, String from, String to, List<String> overrides) {
      return List.of();
    }

    @Override
    public CompletableFuture<Outcome> outcome() {
      return new CompletableFuture<>();
    }
  }

  private HttpResponse<String> get(String path) throws Exception {
    return send(HttpRequest.newBuilder(at(path)).build());
  }

  private URI at(String path) {
    return URI.create("http://127.0.0.1:" + server.address().getPort() + path);
  }

  private HttpResponse<String> send(HttpRequest request) throws Exception {
    return client.send(request, BodyHandlers.ofString());
  }

  private static JsonObject json(HttpResponse<String> response) {
    return JsonParser.parseString(response.body()).getAsJsonObject();
  }

  @Test
  void healthIsUpUnlessABundleOrTheLastRunIsDown() throws Exception {
    assertEquals(200, get("/health").statusCode());
    runs.add(new Shown(1, State.FAILED));
    assertEquals(503, get("/health").statusCode());
    runs.add(new Shown(2, State.RUNNING));
    HttpResponse<String> up = get("/health");
    assertEquals(200, up.statusCode());
    assertEquals(
        JsonParser.parseString(
            "{status: up, bundles_not_active: [], runs_active: 1,"
                + " runs_failed: ['1 lake \\\"A\\\": disk full']}"),
        json(up));
    problems.add("roll.env.maze 1.0.0: installed");
    HttpResponse<String> down = get("/health");
    assertEquals(503, down.statusCode());
    assertEquals("down", json(down).get("status").getAsString());
    assertEquals(
        "roll.env.maze 1.0.0: installed",
        json(down).getAsJsonArray("bundles_not_active").get(0).getAsString());
  }

  @Test
  void progressHasStepPhaseMetricsAndTimeLeft() throws Exception {
    assertEquals(0, json(get("/progress")).getAsJsonArray("runs").size());
    runs.add(new Shown(1, State.RUNNING));
    runs.add(new Shown(2, State.FINISHED));
    HttpResponse<String> progress = get("/progress");
    assertEquals("application/json", progress.headers().firstValue("Content-Type").orElse(""));
    JsonObject first = json(progress).getAsJsonArray("runs").get(0).getAsJsonObject();
    assertEquals("running", first.get("state").getAsString());
    assertEquals(7, first.get("step").getAsInt());
    assertEquals(10, first.get("max_steps").getAsInt());
    assertEquals("rollout", first.get("phase").getAsString());
    assertEquals(4.5, first.get("eta_seconds").getAsDouble()); // 3 steps of 1.5 s
    assertEquals(0.25, first.getAsJsonObject("metrics").get("val/score/mean").getAsDouble());
    assertTrue(first.getAsJsonObject("metrics").get("critic/kl").isJsonNull());
    JsonObject second = json(progress).getAsJsonArray("runs").get(1).getAsJsonObject();
    assertTrue(second.get("eta_seconds").isJsonNull());
  }

  @Test
  void metricsAreThoseOfPrometheus() throws Exception {
    runs.add(new Shown(1, State.RUNNING));
    HttpResponse<String> metrics = get("/metrics");
    assertEquals(
        "text/plain; version=0.0.4; charset=utf-8",
        metrics.headers().firstValue("Content-Type").orElse(""));
    List<String> samples = metrics.body().lines().filter(line -> !line.startsWith("#")).toList();
    String run = "{run=\"1\",name=\"lake \\\"A\\\"\"";
    assertEquals(
        List.of(
            "roll_bundles_not_active 0",
            "roll_run_active" + run + "} 1.0",
            "roll_run_failed" + run + "} 0.0",
            "roll_run_step" + run + "} 7.0",
            "roll_run_max_steps" + run + "} 10.0",
            "roll_run_metric" + run + ",metric=\"critic/kl\"} NaN",
            "roll_run_metric" + run + ",metric=\"time/step_total\"} 1.5",
            "roll_run_metric" + run + ",metric=\"val/score/mean\"} 0.25"),
        samples);
  }

  @Test
  void nothingElseCanBeAskedFor() throws Exception {
    assertEquals(404, get("/").statusCode());
    assertEquals("GET /health, /progress or /metrics\n", get("/progres").body());
    HttpRequest post = HttpRequest.newBuilder(at("/health")).POST(BodyPublishers.noBody()).build();
    assertEquals(405, send(post).statusCode());
    HttpRequest head = HttpRequest.newBuilder(at("/health")).HEAD().build();
    assertEquals(200, send(head).statusCode());
    assertTrue(server.address().getAddress().isLoopbackAddress());
  }

  /** Sends a request under a host name of another site that resolves to this machine. */
  @Test
  void otherNamesOfThisMachineAreRefused() throws Exception {
    int port = server.address().getPort();
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket
          .getOutputStream()
          .write(
              "GET /progress HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"
                  .getBytes(StandardCharsets.UTF_8));
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertTrue(answer.startsWith("HTTP/1.1 403 "), answer);
    }
  }

  @Test
  void isOffUnlessAPortIsGivenAndOnLoopbackUnlessAnAddressIs() throws Exception {
    assertNull(new HealthSettings(name -> null, Map.of(), Map.of()).place());
    var variables = Map.of("ROLL_HEALTH_PORT", "1234", "ROLL_HEALTH_ADDRESS", "0.0.0.0");
    assertEquals(
        new HealthSettings.Place(InetAddress.getByName("0.0.0.0"), 1234, List.of()),
        new HealthSettings(name -> null, Map.of(), variables).place());
    var named = Map.of("ROLL_HEALTH_PORT", "1", "ROLL_HEALTH_HOSTS", "gpu1, gpu1.lab");
    assertEquals(
        List.of("gpu1", "gpu1.lab"),
        Objects.requireNonNull(new HealthSettings(name -> null, Map.of(), named).place()).hosts());
    assertEquals(
        new HealthSettings.Place(InetAddress.getLoopbackAddress(), 8, List.of()),
        new HealthSettings(name -> null, Map.of("port", 8), Map.of("ROLL_HEALTH_PORT", "9"))
            .place());
    assertEquals(
        new HealthSettings.Place(InetAddress.getLoopbackAddress(), 7, List.of()),
        new HealthSettings(n -> n.endsWith("port") ? "7" : null, Map.of("port", 8), Map.of())
            .place());
  }

  @Test
  void aWrongOrTakenPortIsOneLine() {
    HealthSettings wrong = new HealthSettings(name -> null, Map.of("port", "80a"), Map.of());
    assertEquals(
        "roll.health.port: expected an integer from 0 to 65535, found '80a'",
        assertThrows(IllegalArgumentException.class, wrong::place).getMessage());
    var taken =
        new HealthSettings.Place(
            InetAddress.getLoopbackAddress(), server.address().getPort(), List.of());
    String line =
        assertThrows(
                IllegalArgumentException.class,
                () -> HealthServer.start(taken, new HealthPages(List::of, List::of)))
            .getMessage();
    assertTrue(line.startsWith("roll.health.port: cannot listen on 127.0.0.1:"), line);
  }
}
