package roll.itests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.api.option.UserException;
import roll.api.rollout.EnvManager;
import roll.api.tracking.Tracker;
import roll.api.tracking.Tracking;
import roll.runtime.pipeline.RunFailure;

/** Non-finite numbers never reach the weights, and end the run after some steps. */
@Tag("framework")
@Timeout(240)
class NonFiniteTest {
  private static final int TRAJECTORIES = 32;

  private final Path folder;
  private final List<String> heard = new ArrayList<>();

  NonFiniteTest(@TempDir Path folder) {
    this.folder = folder;
  }

  @Test
  void rewardsThatAreNoNumbersLeaveTheWeightsAlone() throws Exception {
    check(Double.NaN);
  }

  @Test
  void infiniteRewardsLeaveTheWeightsAlone() throws Exception {
    check(Double.NEGATIVE_INFINITY);
  }

  /** Runs three steps with non-finite rewards after a good one. */
  private void check(double reward) throws Exception {
    Path good = train("good", "max_steps=1").resolve("checkpoint-1");
    UserException end;
    try (RegisteredService _ = sick(reward);
        RegisteredService _ = ear()) {
      end =
          assertThrows(
              UserException.class,
              () ->
                  train(
                      "sick",
                      "max_steps=20",
                      "custom_envs.FrozenLake.env_manager_cls=sick",
                      "track_with=[jsonl, ear]"));
    }
    String message = String.valueOf(end.getMessage());
    assertTrue(
        message.startsWith(
            "max_skipped_steps: 3 steps in a row could not be trained on: the reward of trajectory"
                + " FrozenLake_"),
        message);
    assertTrue(
        message.endsWith(" is " + reward + "; the last good state is checkpoint-4"), message);

    Path run = folder.resolve("sick");
    assertSameFiles(good, run.resolve("checkpoint-4"));
    List<String> steps = Files.readAllLines(run.resolve("metrics.jsonl"));
    assertEquals(4, steps.size());
    assertEquals(3, heard.size());
    for (int step = 1; step <= 3; step++) {
      JsonObject metrics =
          JsonParser.parseString(steps.get(step)).getAsJsonObject().getAsJsonObject("metrics");
      assertEquals(2, metrics.get("actor/skipped_updates").getAsDouble());
      assertFalse(metrics.has("actor/pg_loss"));
      Path file = run.resolve("not-finite/step-" + step + ".json");
      JsonObject saved = JsonParser.parseString(Files.readString(file)).getAsJsonObject();
      assertEquals(TRAJECTORIES, saved.getAsJsonArray("samples").size());
      assertEquals(
          "step %d was not trained on, the weights are as they were: %s; the batch is in %s"
              .formatted(step, saved.get("problem").getAsString(), file),
          heard.get(step - 1));
    }
  }

  @Test
  void withoutALimitTheRunContinues() throws Exception {
    try (RegisteredService _ = sick(Double.NaN)) {
      Path run =
          train(
              "patient",
              "max_steps=5",
              "max_skipped_steps=0",
              "custom_envs.FrozenLake.env_manager_cls=sick");
      assertEquals(5, Files.readAllLines(run.resolve("metrics.jsonl")).size());
    }
  }

  @Test
  void aModelThatGivesNoNumbersIsNotSaved() throws Exception {
    Path model = train("good", "max_steps=1").resolve("checkpoint-1");
    poison(model.resolve("model.safetensors"));
    UserException end =
        assertThrows(
            UserException.class,
            () ->
                train(
                    "poisoned",
                    "max_steps=20",
                    "pretrain=" + model,
                    "max_skipped_steps=2",
                    "force_disable_old_logprobs_recompute=false"));
    String message = String.valueOf(end.getMessage());
    assertTrue(
        message.matches(
            "max_skipped_steps: 2 steps in a row could not be trained on: \\w*log_probs of"
                + " trajectory FrozenLake_\\S+ at token \\d+ \\(id \\d+\\) is NaN; nothing was"
                + " saved"),
        message);
    Path run = folder.resolve("poisoned");
    assertTrue(Files.exists(run.resolve("not-finite/step-1.json")));
    try (Stream<Path> files = Files.list(run)) {
      assertTrue(files.noneMatch(file -> file.getFileName().toString().startsWith("checkpoint")));
    }
  }

  /** A run that ends with skipped steps fails, even before their maximum number. */
  @Test
  void aLastStepThatWasSkippedIsNoGoodEnd() throws Exception {
    Path model = train("good", "max_steps=1").resolve("checkpoint-1");
    poison(model.resolve("model.safetensors"));
    RunFailure end =
        assertThrows(
            RunFailure.class,
            () ->
                train(
                    "unsaved",
                    "max_steps=2",
                    "pretrain=" + model,
                    "force_disable_old_logprobs_recompute=false"));
    String message = String.valueOf(end.getMessage());
    assertTrue(
        message.startsWith("the last 2 steps could not be trained on: ")
            && message.endsWith(" is NaN; nothing was saved"),
        message);
  }

  /**
   * Makes every weight so large that products overflow. Non-finite weights would be refused when
   * read.
   */
  private static void poison(Path safetensors) throws Exception {
    ByteBuffer bytes =
        ByteBuffer.wrap(Files.readAllBytes(safetensors)).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 8 + (int) bytes.getLong(0); i < bytes.limit(); i += Float.BYTES) {
      bytes.putFloat(i, 1e18f);
    }
    Files.write(safetensors, bytes.array());
  }

  private static void assertSameFiles(Path expected, Path found) throws Exception {
    for (String file :
        List.of("model.safetensors", "trainer/moments.safetensors", "trainer/state.json")) {
      assertArrayEquals(
          Files.readAllBytes(expected.resolve(file)),
          Files.readAllBytes(found.resolve(file)),
          file);
    }
  }

  /** Registers FrozenLake with non-finite rewards after the first step's episodes. */
  private static RegisteredService sick(double reward) throws Exception {
    EnvManager manager = SmallRuns.service(EnvManager.class, "(roll.env.manager=trajectory)");
    return RegisteredService.of(
        EnvManager.class,
        new FaultyEnvManager(manager, TRAJECTORIES, reward),
        "roll.env.manager",
        "sick");
  }

  /** Registers a tracker that records notices. */
  private RegisteredService ear() {
    Tracker ear =
        run ->
            new Tracking() {
              @Override
              public void log(int step, Map<String, Double> metrics) {}

              @Override
              public void notice(String line) {
                heard.add(line);
              }

              @Override
              public void flush() {}

              @Override
              public void close() {}
            };
    return RegisteredService.of(Tracker.class, ear, "roll.tracker", "ear");
  }

  /** Runs to the end and returns the folder; rethrows the cause of a failure. */
  private Path train(String name, String... overrides) throws Exception {
    List<String> all =
        SmallRuns.overrides(
            overrides, "exp_name=" + name, "eval_steps=0", "save_steps=100", "logging_steps=0");
    return SmallRuns.finish(SmallRuns.start("frozen_lake.yaml", folder, all));
  }
}
