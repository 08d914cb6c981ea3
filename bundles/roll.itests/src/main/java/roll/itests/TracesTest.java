package roll.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonParser;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.runtime.pipeline.TrainingRun;

/** The traces of a run whose tracker is replaced meanwhile, in a collector. */
@Tag("framework")
@Timeout(300)
class TracesTest {
  private static final int STEPS = 6;

  private final ByteArrayOutputStream taken = new ByteArrayOutputStream();

  private void take(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] spans = new GZIPInputStream(exchange.getRequestBody()).readAllBytes();
      synchronized (taken) {
        taken.writeBytes(spans);
      }
      exchange.sendResponseHeaders(200, -1);
    }
  }

  @Test
  void everyEpisodeHasATraceWhileTheTrackerIsReplaced(@TempDir Path folder) throws Exception {
    HttpServer collector =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    collector.createContext("/v1/traces", this::take);
    collector.start();
    try (BundleVersions tracker = BundleVersions.of("roll.tracking.opentelemetry")) {
      String address = "http://127.0.0.1:" + collector.getAddress().getPort();
      TrainingRun run =
          SmallRuns.start(
              "frozen_lake.yaml",
              folder,
              List.of(
                  "rollout_batch_size=16",
                  "train_env_manager.num_env_groups=2",
                  "max_steps=" + STEPS,
                  "eval_steps=0",
                  "save_steps=100",
                  "logging_steps=1",
                  "track_with=[opentelemetry]",
                  "tracker_kwargs.opentelemetry.endpoint=" + address));
      for (int step = 1; step < 4; step++) {
        int next = step;
        Waits.until(() -> run.status().step() >= next || !run.status().state().active());
        tracker.update();
      }
      assertArrived(SmallRuns.finish(run));
      Waits.collect(50, () -> tracker.alive() == 0);
      assertEquals(0, tracker.alive(), "class loaders of replaced versions");
    } finally {
      collector.stop(0);
    }
  }

  private void assertArrived(Path run) throws IOException {
    String sent = taken.toString(StandardCharsets.ISO_8859_1);
    int lines = 0;
    for (int step = 0; step < STEPS; step++) {
      for (String line : Files.readAllLines(run.resolve("trajectories/step-" + step + ".jsonl"))) {
        String id = JsonParser.parseString(line).getAsJsonObject().get("trace_id").getAsString();
        byte[] bytes = HexFormat.of().parseHex(id);
        assertTrue(
            sent.contains(new String(bytes, StandardCharsets.ISO_8859_1)),
            "step " + step + ": trace " + id);
        lines++;
      }
    }
    assertEquals(16 * STEPS, lines);
    for (String name : List.of("step", "phase rollout", "chat policy", "environment reset")) {
      assertTrue(sent.contains(name), name);
    }
  }
}
