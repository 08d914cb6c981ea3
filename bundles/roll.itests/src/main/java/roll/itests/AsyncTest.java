package roll.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import roll.api.option.UserException;
import roll.runtime.config.LoadedConfig;
import roll.runtime.pipeline.Trainer;
import roll.runtime.pipeline.TrainingRun;

/** Asynchronous training: rollouts run ahead while the policy is trained. */
@Tag("framework")
@Timeout(240)
class AsyncTest {
  private static final int STEPS = 6;

  private final Path folder;

  AsyncTest(@TempDir Path folder) {
    this.folder = folder;
  }

  @Test
  void trainsOnWhatOlderWeightsPlayedWithinTheBound() throws Exception {
    TrainingRun run =
        SmallRuns.start(
            "frozen_lake.yaml",
            folder,
            List.of("exp_name=async", "async_generation_ratio=0.5", "max_steps=" + STEPS));
    assertTrue(
        run.notices().stream().anyMatch(line -> line.startsWith("async_generation_ratio: ")),
        "the log names what is dropped");
    assertEquals(STEPS, run.outcome().get().steps());
    double stale = 0;
    List<String> lines = Files.readAllLines(run.folder().resolve("metrics.jsonl"));
    for (String line : lines.subList(0, STEPS)) {
      JsonObject step = JsonParser.parseString(line).getAsJsonObject();
      JsonObject metrics = step.getAsJsonObject("metrics");
      assertTrue(metrics.get("async/staleness/max").getAsDouble() <= 1);
      double sum =
          metrics.get("async/staleness/0").getAsDouble()
              + metrics.get("async/staleness/1").getAsDouble();
      assertEquals(1, sum, 1e-12);
      stale += metrics.get("async/staleness/1").getAsDouble();
      boolean last = step.get("step").getAsInt() == STEPS - 1;
      assertEquals(last ? 0 : 2, metrics.get("scheduler/groups_ahead").getAsDouble());
      assertTrue(metrics.get("scheduler/concurrent_episodes_limit").getAsDouble() >= 1);
      assertTrue(metrics.has("actor/pg_loss"), "it is trained on");
    }
    assertTrue(stale > 0, "nothing was played ahead");
  }

  /**
   * The weights of a run change within responses: each token has its version, tokens are corrected
   * one by one, and none is older than the bound.
   */
  @ParameterizedTest
  @ValueSource(strings = {"recompute", "keep"})
  void weightsChangeUnderAnEpisodeInFlight(String cache) throws Exception {
    TrainingRun run =
        partial(
            "partial_rollout=true",
            "partial_rollout_cache=" + cache,
            "force_disable_old_logprobs_recompute=false");
    double older = 0;
    for (JsonObject metrics : steps(run)) {
      assertTrue(metrics.has("actor/is_weight_clipfrac"), "tokens have weights");
      older +=
          metrics.has("async/log_ratio/1") ? metrics.get("async/log_ratio/1").getAsDouble() : 0;
    }
    assertTrue(older > 0, "tokens of older weights are as likely as they were");
    assertTrue(divided(run.folder().resolve("trajectories")) > 0, "no response has two versions");
  }

  @Test
  void responsesEndBeforeNewWeightsIfConfigured() throws Exception {
    TrainingRun run = partial("partial_rollout=false");
    assertFalse(steps(run).getFirst().has("actor/is_weight_clipfrac"));
    assertEquals(0, divided(run.folder().resolve("trajectories")));
  }

  /** Returns a completed run whose responses have several tokens. */
  private TrainingRun partial(String... more) throws Exception {
    List<String> overrides =
        SmallRuns.overrides(
            more,
            "exp_name=partial",
            "async_generation_ratio=1",
            "eval_steps=0",
            "logging_steps=1",
            "custom_envs.FrozenLake.max_steps=4",
            "custom_envs.FrozenLake.max_tokens_per_step=24",
            "train_env_manager.generating_args={max_new_tokens: 24}",
            "max_steps=" + STEPS);
    TrainingRun run = SmallRuns.start("frozen_lake.yaml", folder, overrides);
    assertEquals(STEPS, run.outcome().get().steps());
    return run;
  }

  /** Returns the metrics of the steps of {@code run}, in each of which staleness is bounded. */
  private static List<JsonObject> steps(TrainingRun run) throws IOException {
    List<JsonObject> steps =
        Files.readAllLines(run.folder().resolve("metrics.jsonl")).stream()
            .map(line -> JsonParser.parseString(line).getAsJsonObject())
            .filter(step -> step.get("step").getAsInt() < STEPS)
            .map(step -> step.getAsJsonObject("metrics"))
            .toList();
    for (JsonObject metrics : steps) {
      assertTrue(metrics.get("async/staleness/max").getAsDouble() <= 1);
    }
    return steps;
  }

  /** Returns the number of responses in {@code trajectories} that several versions wrote. */
  private static int divided(Path trajectories) throws IOException {
    List<Path> files;
    try (Stream<Path> listed = Files.list(trajectories)) {
      files = listed.filter(f -> f.toString().endsWith("l")).toList();
    }
    int divided = 0;
    for (Path file : files) {
      for (String line : Files.readAllLines(file)) {
        JsonObject episode = JsonParser.parseString(line).getAsJsonObject();
        for (JsonElement sample : episode.getAsJsonArray("sequences")) {
          JsonArray turns = sample.getAsJsonObject().getAsJsonArray("turns");
          JsonArray versions = sample.getAsJsonObject().getAsJsonArray("versions");
          for (int t = 1; t < turns.size(); t++) {
            boolean within = turns.get(t).getAsInt() >= 0 && turns.get(t).equals(turns.get(t - 1));
            divided += within && !versions.get(t).equals(versions.get(t - 1)) ? 1 : 0;
          }
        }
      }
    }
    return divided;
  }

  @Test
  void aResumedRunTrainsEachGroupOnce() throws Exception {
    List<String> planned = episodes(train("planned", 0, "false").folder());
    assertEquals(STEPS * 32, planned.stream().distinct().count());
    Path run = train("ahead", 1.5, "false").folder();
    assertEquals(planned, episodes(run));
    for (String from : List.of("checkpoint-3", "checkpoint-2")) {
      TrainingRun ended = train("ahead", 1.5, run.resolve(from).toString());
      assertEquals(planned, episodes(run), from);
      List<String> notices =
          ended.notices().stream().filter(line -> line.contains("unfinished")).toList();
      assertEquals(List.of(), notices, from);
    }
  }

  private TrainingRun train(String name, double ahead, String resumed) throws Exception {
    List<String> overrides =
        List.of(
            "exp_name=" + name,
            "max_steps=" + STEPS,
            "save_steps=1",
            "logging_steps=1",
            "async_generation_ratio=" + ahead,
            "resume_from_checkpoint=" + resumed);
    TrainingRun run = SmallRuns.start("frozen_lake.yaml", folder, overrides);
    assertEquals(STEPS, run.outcome().get().steps());
    return run;
  }

  private static List<String> episodes(Path run) throws IOException {
    List<String> ids = new ArrayList<>();
    for (int step = 0; step < STEPS; step++) {
      Path file = run.resolve("trajectories/step-" + step + ".jsonl");
      for (String line : Files.readAllLines(file)) {
        ids.add(JsonParser.parseString(line).getAsJsonObject().get("id").getAsString());
      }
    }
    return ids.stream().sorted().toList();
  }

  @Test
  void isRefusedWhereTheLevelsOfAStepAreNeededAgain() {
    LoadedConfig config =
        SmallRuns.load(
            "frozen_lake.yaml",
            folder,
            List.of(
                "async_generation_ratio=1",
                "adv_estimator=remax",
                "reward_normalization.method=identity"));
    var refused =
        assertThrows(UserException.class, () -> SmallRuns.service(Trainer.class).check(config));
    assertEquals(
        "async_generation_ratio: must be 0 for adv_estimator 'remax', which has the levels of a"
            + " step played again by the greedy policy",
        refused.getMessage());
  }
}
