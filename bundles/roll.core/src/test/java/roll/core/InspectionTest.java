package roll.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.data.Batch;

class InspectionTest {
  private final Path folder;
  private final Map<String, Double> metrics = new HashMap<>();

  InspectionTest(@TempDir Path folder) {
    this.folder = folder;
  }

  private static Batch batch(double second) {
    return Batch.of(new int[] {0, 2, 5}, new int[] {7, 8, 7, 9, 6}, new int[] {-1, 0, -1, 0, 0})
        .withTokens(Batch.OLD_LOG_PROBS, new double[] {Double.NaN, -1, Double.NaN, -2, second})
        .withSamples(Batch.SCORES, new double[] {1, 0})
        .withLabels(Batch.TRAJECTORY_IDS, List.of("a", "b"));
  }

  @Test
  void whatIsFinitePasses() {
    try (RunLog log = new RunLog(folder)) {
      Inspection inspection = new Inspection(folder, 3, 4, metrics, log);
      assertTrue(inspection.passes(batch(-3), Batch.OLD_LOG_PROBS, Batch.VALUES));
      inspection.report(null, batch(-3));
    }
    assertTrue(metrics.isEmpty());
    assertFalse(Files.exists(folder.resolve("not-finite")));
  }

  @Test
  void whatIsNotIsNamedCountedAndSaved() throws Exception {
    try (RunLog log = new RunLog(folder)) {
      Inspection inspection = new Inspection(folder, 3, 4, metrics, log);
      assertFalse(inspection.passes(batch(Double.NEGATIVE_INFINITY), Batch.OLD_LOG_PROBS));
    }
    assertEquals(Map.of("actor/skipped_updates", 4.0), metrics);
    Path file = folder.resolve("not-finite/step-3.json");
    JsonObject saved = JsonParser.parseString(Files.readString(file)).getAsJsonObject();
    String problem = "old_log_probs of trajectory b at token 2 (id 6) is -Infinity";
    assertEquals(problem, saved.get("problem").getAsString());
    JsonObject sample = saved.getAsJsonArray("samples").get(1).getAsJsonObject();
    assertEquals("b", sample.get(Batch.TRAJECTORY_IDS).getAsString());
    assertEquals("[7,9,6]", sample.get("tokens").toString());
    assertEquals(0, sample.get(Batch.SCORES).getAsDouble());
    assertEquals(
        Double.NEGATIVE_INFINITY, sample.getAsJsonArray(Batch.OLD_LOG_PROBS).get(2).getAsDouble());
    String log = Files.readString(folder.resolve(RunLog.NAME));
    assertTrue(log.contains("step 3 was not trained on: " + problem + "; the batch is in"), log);
  }
}
