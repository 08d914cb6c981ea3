package roll.itests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.api.option.UserException;
import roll.runtime.config.ConfigLoader;
import roll.runtime.config.LoadedConfig;
import roll.runtime.pipeline.RolloutRunner;
import roll.runtime.pipeline.Trainer;
import roll.runtime.pipeline.TrainingRun;

/** Runs with an engine that batches continuously, sleeps and reports metrics. */
@Tag("framework")
@Timeout(240)
class EngineUseTest {
  private static final String HF_INFER = "actor_infer.strategy_args.strategy_name=hf_infer";

  private final Path folder;

  EngineUseTest(@TempDir Path folder) {
    this.folder = folder;
  }

  /** Returns the metrics of each step of a successful run. */
  private List<JsonObject> train(String... overrides) throws Exception {
    List<String> all =
        SmallRuns.overrides(
            overrides, "exp_name=run", "actor_infer.strategy_args.strategy_name=listening");
    TrainingRun run = SmallRuns.start("frozen_lake.yaml", folder, all);
    run.outcome().get();
    return Files.readAllLines(run.folder().resolve("metrics.jsonl")).stream()
        .map(line -> JsonParser.parseString(line).getAsJsonObject().getAsJsonObject("metrics"))
        .toList();
  }

  private static double number(JsonObject metrics, String name) {
    assertTrue(metrics.has(name), () -> name + " is missing in " + metrics.keySet());
    return metrics.get(name).getAsDouble();
  }

  @Test
  void itSleepsWhileThePolicyIsTrainedAndIsMeasuredByRollout() throws Exception {
    List<JsonObject> steps;
    List<String> asked;
    List<Integer> calls;
    try (RecordingStrategy engine = new RecordingStrategy()) {
      steps = train("max_steps=2", "adv_estimator=remax", "reward_normalization.method=identity");
      asked = engine.asked();
      calls = engine.calls();
    }
    List<String> greedyToo = List.of("measure", "generate", "measure", "generate", "sleep");
    List<String> expected = new ArrayList<>(List.of("update", "wake", "generate")); // validation
    expected.addAll(greedyToo);
    expected.addAll(List.of("update", "wake"));
    expected.addAll(greedyToo);
    expected.addAll(List.of("update", "wake", "generate")); // the last validation
    assertEquals(expected, asked);
    assertEquals(8, calls.getFirst(), "a wave of the validation is one call");
    for (JsonObject metrics : steps.subList(0, 2)) {
      assertEquals(number(metrics, "tokens/generated"), number(metrics, "listening/tokens"));
      assertTrue(number(metrics, "time/step_offload") >= 0);
      assertTrue(number(metrics, "memory/step_offload/start") > 0);
      assertTrue(number(metrics, "memory/step_offload/end") > 0);
    }
    assertFalse(steps.getLast().has("listening/tokens"), "a validation is not measured");
  }

  @Test
  void playingAheadItNeverSleepsAndGetsEachRequestAlone() throws Exception {
    List<JsonObject> steps;
    List<String> asked;
    List<Integer> calls;
    try (RecordingStrategy engine = new RecordingStrategy()) {
      steps = train("max_steps=3", "eval_steps=0", "async_generation_ratio=1");
      asked = engine.asked();
      calls = engine.calls();
    }
    assertFalse(asked.contains("sleep"), asked::toString);
    assertEquals(Set.of(1), Set.copyOf(calls));
    assertEquals(3, steps.size());
    for (JsonObject metrics : steps) {
      assertTrue(number(metrics, "listening/tokens") >= 0);
      assertFalse(metrics.has("time/step_offload"));
      assertTrue(metrics.has("actor/pg_loss"), "it is trained on");
    }
  }

  @Test
  void inStepItGetsEachRequestAloneWhereItAsksForThat() throws Exception {
    List<Integer> calls;
    try (RecordingStrategy engine = new RecordingStrategy(true)) {
      train("max_steps=1");
      calls = engine.calls();
    }
    assertEquals(Set.of(1), Set.copyOf(calls), "of the rollout and of both validations");
  }

  /**
   * Training does not depend on the batch sizes of generation, since the trainer computes
   * log-probs.
   */
  @Test
  void aPolicyLearnsTheSameWhateverIsGeneratedTogether() throws Exception {
    String[] options = {
      "max_steps=2",
      "save_steps=2",
      "force_disable_old_logprobs_recompute=false",
      "actor_infer.strategy_args.strategy_name=vllm",
      "train_env_manager.generating_args.max_new_tokens=6"
    };
    train(options);
    List<String> alone = new ArrayList<>(List.of(options));
    alone.add("exp_name=alone");
    alone.add("actor_infer.strategy_args.strategy_config.deterministic=false");
    train(alone.toArray(String[]::new));
    String model = "checkpoint-2/model.safetensors";
    assertArrayEquals(
        Files.readAllBytes(folder.resolve("run").resolve(model)),
        Files.readAllBytes(folder.resolve("alone").resolve(model)));
  }

  @Test
  void anEngineWithNothingToFreeIsLeftAlone() throws Exception {
    List<JsonObject> steps = train("max_steps=1", HF_INFER);
    assertFalse(steps.getFirst().has("time/step_offload"));
  }

  @Test
  void itsSettingsAreCheckedBeforeAnythingIsLoaded() throws Exception {
    String options = "actor_infer.strategy_args.strategy_config.";
    assertEquals(
        options
            .replaceFirst(".$", "")
            .concat(
                ": unknown key 'prefix_reus' (allowed: prefix_reuse, prefill_block_tokens,"
                    + " tensor_parallel_size); did"
                    + " you mean 'prefix_reuse'?"),
        refused(options + "prefix_reus=true"));
    assertTrue(refused(options + "prefill_block_tokens=0").startsWith(options + "prefill_block"));
    assertTrue(
        refused("actor_train.strategy_args.strategy_config.parallel_micro_batches=65")
            .startsWith("actor_train.strategy_args.strategy_config.parallel_micro_batches: "));
    LoadedConfig rollout =
        SmallRuns.service(ConfigLoader.class)
            .loadForRollout(
                SmallRuns.config("frozen_lake.yaml"),
                List.of(
                    "output_dir=" + folder,
                    "exp_name=none",
                    "pretrain=" + SmallRuns.config("models/frozen-lake-tiny"),
                    HF_INFER,
                    options + "prefill_block_tokens=0"));
    assertThrows(
        UserException.class, () -> SmallRuns.service(RolloutRunner.class).start(rollout, false, 0));
    assertFalse(Files.exists(folder.resolve("none")));
  }

  private String refused(String override) {
    LoadedConfig config = SmallRuns.load("frozen_lake.yaml", folder, List.of(HF_INFER, override));
    Trainer trainer = SmallRuns.service(Trainer.class);
    return String.valueOf(
        assertThrows(UserException.class, () -> trainer.check(config)).getMessage());
  }

  @Test
  void whatItHasToSayOfItsSettingsIsANotice() throws Exception {
    try (RecordingStrategy _ = new RecordingStrategy()) {
      LoadedConfig config =
          SmallRuns.load(
              "frozen_lake.yaml",
              folder,
              List.of(
                  "actor_infer.strategy_args.strategy_name=hearing",
                  "actor_infer.strategy_args.strategy_config.loudness=3"));
      assertEquals(
          List.of("actor_infer: loudness has no effect"),
          SmallRuns.service(Trainer.class).check(config));
    }
  }
}
