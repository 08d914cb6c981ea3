package roll.core.step;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.data.Batch;

class NonFiniteGuardTest {
  private final Path folder;
  private final Map<String, Double> metrics = new HashMap<>();
  private final List<String> notices = new ArrayList<>();

  NonFiniteGuardTest(@TempDir Path folder) {
    this.folder = folder;
  }

  private static Batch batch(double second) {
    return Batch.of(new int[] {0, 2, 5}, new int[] {7, 8, 7, 9, 6}, new int[] {-1, 0, -1, 0, 0})
        .withColumn(Batch.OLD_LOG_PROBS, new double[] {Double.NaN, -1, Double.NaN, -2, second})
        .withColumn(Batch.SCORES, new double[] {1, 0})
        .withColumn(Batch.TRAJECTORY_IDS, List.of("a", "b"));
  }

  @Test
  void whatIsFinitePasses() {
    NonFiniteGuard guard =
        new NonFiniteGuard(folder, 3, samples -> 2L * samples, metrics, notices::add);
    assertTrue(guard.passesModels(batch(-3), Batch.OLD_LOG_PROBS, Batch.VALUES));
    guard.report(null, batch(-3));
    assertNull(guard.problem());
    assertTrue(metrics.isEmpty());
    assertTrue(notices.isEmpty());
    assertFalse(Files.exists(folder.resolve("not-finite")));
  }

  @Test
  void whatIsNotIsNamedCountedAndSaved() throws Exception {
    NonFiniteGuard guard =
        new NonFiniteGuard(folder, 3, samples -> 2L * samples, metrics, notices::add);
    assertFalse(guard.passesModels(batch(Double.NEGATIVE_INFINITY), Batch.OLD_LOG_PROBS));
    assertTrue(guard.modelBroken());
    assertEquals(Map.of("actor/skipped_updates", 4.0), metrics);
    Path file = folder.resolve("not-finite/step-3.json");
    JsonObject saved = JsonParser.parseString(Files.readString(file)).getAsJsonObject();
    String problem = "old_log_probs of trajectory b at token 2 (id 6) is -Infinity";
    assertEquals(problem, saved.get("problem").getAsString());
    JsonObject sample = saved.getAsJsonArray("samples").get(1).getAsJsonObject();
    assertEquals("b", sample.get(Batch.TRAJECTORY_IDS.name()).getAsString());
    assertEquals("[7,9,6]", sample.get("tokens").toString());
    assertEquals(0, sample.get(Batch.SCORES.name()).getAsDouble());
    assertEquals(
        Double.NEGATIVE_INFINITY,
        sample.getAsJsonArray(Batch.OLD_LOG_PROBS.name()).get(2).getAsDouble());
    assertEquals(
        List.of(
            "step 3 was not trained on, the weights are as they were: "
                + problem
                + "; the batch is in "
                + file),
        notices);
    assertEquals(problem, guard.problem());
  }

  /** After updates were made, the step counts as trained. */
  @Test
  void theActorCountsItsUpdatesItself() {
    metrics.putAll(Map.of("actor/backward_steps", 4.0, "actor/skipped_updates", 1.0));
    NonFiniteGuard guard =
        new NonFiniteGuard(folder, 3, samples -> 2L * samples, metrics, notices::add);
    guard.report("the gradient is NaN", batch(-3));
    assertNull(guard.problem());
    assertTrue(notices.getFirst().startsWith("step 3 ended after 3 of its updates: the gradient"));
    metrics.put("actor/skipped_updates", 4.0);
    guard.report("the gradient is NaN", batch(-3));
    assertEquals("the gradient is NaN", guard.problem());
    assertEquals(4.0, metrics.get("actor/skipped_updates"));
  }

  @Test
  void aStreakEndsTheRun() {
    NonFiniteGuard bad =
        new NonFiniteGuard(folder, 3, samples -> 2L * samples, metrics, notices::add);
    assertFalse(bad.passes(batch(Double.NaN), Batch.OLD_LOG_PROBS));
    NonFiniteGuard good =
        new NonFiniteGuard(folder, 4, samples -> 2L * samples, metrics, notices::add);
    SkippedSteps skippedSteps = new SkippedSteps(2, 0);
    SkippedSteps endless = new SkippedSteps(0, 0);
    for (NonFiniteGuard step : List.of(bad, good, bad)) {
      skippedSteps.add(step);
      endless.add(step);
      assertFalse(skippedSteps.tooLong());
    }
    skippedSteps.add(bad);
    endless.add(bad);
    assertTrue(skippedSteps.tooLong());
    assertFalse(endless.tooLong());
    assertFalse(skippedSteps.modelBroken());
    assertEquals(
        "max_skipped_steps: 2 steps in a row could not be trained on: old_log_probs of trajectory b"
            + " at token 2 (id 6) is NaN; the last good state is checkpoint-7",
        skippedSteps.failure(7).getMessage());
  }
}
