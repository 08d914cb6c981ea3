package roll.itests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.api.option.UserException;
import roll.decoder.ModelMerger;
import roll.runtime.config.LoadedConfig;
import roll.runtime.pipeline.Trainer;
import roll.runtime.pipeline.TrainingRun;
import roll.runtime.pipeline.TrainingRun.Outcome;

/** The main job, small: it repeats bit for bit, also when it is cut off and resumed. */
@Timeout(240)
@TestInstance(Lifecycle.PER_CLASS)
class TrainingTest {
  private static final int STEPS = 4;

  /** Metrics that the clock and the machine say. */
  private static final Pattern CLOCK =
      Pattern.compile("time/|memory|/tps$|vllm/(.*_second|.*_seconds_|time_|step_overhead)");

  private final Path folder;

  /** The run that the tests compare theirs with, as none of them leaves it otherwise. */
  private Path whole;

  TrainingTest(@TempDir Path folder) {
    this.folder = folder;
  }

  @BeforeAll
  void trainWhole() throws Exception {
    whole = train("whole").folder();
  }

  @Test
  void repeatsAndResumesBitForBit() throws Exception {
    Path again = train("again").folder();
    assertSameRun(whole, again);

    Path cut = folder.resolve("cut");
    copy(whole.resolve("checkpoint-2"), cut.resolve("checkpoint-2"));
    Files.copy(whole.resolve("metrics.jsonl"), cut.resolve("metrics.jsonl"));
    assertSameRun(whole, train("cut", "resume_from_checkpoint=true").folder());
  }

  /** The reference is the model that the adapters are next to: no role holds it. */
  @Test
  void trainsAdaptersAndResumesBitForBit() throws Exception {
    Path base = whole.resolve("checkpoint-" + STEPS);
    byte[] weights = Files.readAllBytes(base.resolve("model.safetensors"));
    String[] lora = {
      "pretrain=" + base,
      "actor_train.model_args={lora_target: all-linear, lora_rank: 4, lora_dropout: 0.1}",
      "actor_train.training_args.learning_rate=0.01",
      "use_kl_loss=true",
      "force_disable_old_logprobs_recompute=false"
    };
    Path adapted = train("lora", lora).folder();
    Path adapters = adapted.resolve("checkpoint-" + STEPS);
    for (String file : List.of("adapter_config.json", "adapter_model.safetensors")) {
      assertTrue(Files.size(adapters.resolve(file)) > 0, file);
    }
    assertFalse(Files.exists(adapters.resolve("model.safetensors")));
    assertArrayEquals(weights, Files.readAllBytes(base.resolve("model.safetensors")));
    Map<Integer, Map<String, String>> metrics = metrics(adapted);
    assertEquals(0, difference(metrics, 0), 1e-6);
    assertTrue(Math.abs(difference(metrics, STEPS - 1)) > 1e-3, "the policy has not moved");

    Path cut = folder.resolve("lora-cut");
    copy(adapted.resolve("checkpoint-2"), cut.resolve("checkpoint-2"));
    Files.copy(adapted.resolve("metrics.jsonl"), cut.resolve("metrics.jsonl"));
    List<String> resumed = new ArrayList<>(List.of(lora));
    resumed.add("resume_from_checkpoint=true");
    assertSameRun(adapted, train("lora-cut", resumed.toArray(String[]::new)).folder());

    Path merged = folder.resolve("merged");
    SmallRuns.service(ModelMerger.class).merge(adapters, null, merged);
    assertEquals(STEPS, train("after", "pretrain=" + merged).outcome().get().steps());
  }

  /** How far the policy's mean log-prob is above the reference's. */
  private static double difference(Map<Integer, Map<String, String>> metrics, int step) {
    Map<String, String> values = Objects.requireNonNull(metrics.get(step));
    return Double.parseDouble(values.getOrDefault("critic/old_log_prob/mean", ""))
        - Double.parseDouble(values.getOrDefault("critic/ref_log_prob/mean", ""));
  }

  @Test
  void savesWhenStoppedAndContinues() throws Exception {
    TrainingRun run = start("stopped");
    run.stop();
    Outcome outcome = run.outcome().get();
    assertTrue(outcome.interrupted());
    assertTrue(Files.isDirectory(run.folder().resolve("checkpoint-" + outcome.steps())));
    assertSameRun(whole, train("stopped", "resume_from_checkpoint=true").folder());
  }

  @Test
  void writesWhatItPromises() throws Exception {
    for (String file :
        List.of(
            "config.yaml",
            "metrics.jsonl",
            "run.log",
            "learning-curve.png",
            "checkpoint-4/config.json",
            "checkpoint-4/model.safetensors",
            "checkpoint-4/tokenizer.json",
            "trajectories/step-0.jsonl")) {
      assertTrue(Files.size(whole.resolve(file)) > 0, file);
    }
    for (String place : List.of("frames", "tensorboard")) {
      try (Stream<Path> files = Files.list(whole.resolve(place))) {
        assertTrue(files.findAny().isPresent(), place);
      }
    }
    assertFalse(Files.exists(whole.resolve("checkpoint-1")));
  }

  @Test
  void episodesAreSampledAsTheConfigurationSays() throws Exception {
    Set<String> written = new TreeSet<>();
    Path run =
        train(
                "guided",
                "max_tokens_per_step=2",
                "train_env_manager.generating_args={guided_choice: [Up, Down, UpUp],"
                    + " max_new_tokens: 2, temperature: 1.5, min_p: 0.01, repetition_penalty: 1.1,"
                    + " stop_strings: [Down]}")
            .folder();
    for (String line : Files.readAllLines(run.resolve("trajectories/step-0.jsonl"))) {
      for (JsonElement message :
          JsonParser.parseString(line).getAsJsonObject().getAsJsonArray("messages")) {
        if (message.getAsJsonObject().get("role").getAsString().equals("assistant")) {
          written.add(message.getAsJsonObject().get("content").getAsString());
        }
      }
    }
    assertEquals(Set.of("Up", "Down", "UpUp"), written);
  }

  /** One estimator that reads turns and states, one that has a greedy rollout played. */
  @Test
  void estimatorsGetWhatTheyNeed() throws Exception {
    train("gigpo", "adv_estimator=gigpo", "step_reward_gamma=0.9", "max_steps=1");
    Path run =
        train("remax", "adv_estimator=remax", "reward_normalization.method=identity", "max_steps=1")
            .folder();
    String metrics = Files.readString(run.resolve("metrics.jsonl"));
    assertTrue(metrics.contains("critic/reward_baselines/mean"), metrics);
  }

  /** Every turn is a sample; the steps of an episode still belong together. */
  @Test
  void trainsOnSingleTurns() throws Exception {
    Path run =
        train(
                "steps",
                "adv_estimator=gigpo",
                "custom_envs.FrozenLake.env_manager_cls=step",
                "custom_envs.FrozenLake.history_length=1",
                "custom_envs.FrozenLake.agent_template='{current_observation}'",
                "max_steps=1")
            .folder();
    JsonObject first =
        JsonParser.parseString(Files.readAllLines(run.resolve("trajectories/step-0.jsonl")).get(0))
            .getAsJsonObject();
    int turns = first.getAsJsonArray("rewards").size();
    assertEquals(turns, first.getAsJsonArray("sequences").size());
    assertTrue(
        Files.readString(run.resolve("metrics.jsonl")).contains("critic/step_rewards_norm/mean"));
  }

  @Test
  void optionsOfAnEstimatorAreItsOwn() {
    UserException unknown =
        assertThrows(
            UserException.class,
            () -> start("wrong", "adv_estimator=rloo", "adv_estimator_args={multi_turn: skip}"));
    assertEquals(
        "adv_estimator_args: unknown key 'multi_turn' (allowed: none)", unknown.getMessage());
    UserException word =
        assertThrows(
            UserException.class,
            () ->
                start(
                    "wrong",
                    "adv_estimator=reinforce++",
                    "adv_estimator_args={multi_turn: carri}"));
    assertEquals(
        "adv_estimator_args.multi_turn: expected one of skip, carry, reset, found 'carri'; did you"
            + " mean 'carry'?",
        word.getMessage());
  }

  /** A loss that surveys the batch, with every kind of term and correction; it repeats too. */
  @Test
  void lossesGetWhatTheyNeed() throws Exception {
    String[] keys = {
      "actor_train.pg_variant=clip_cov",
      "actor_train.pg_variant_args={clip_cov_ratio: 0.1, clip_cov_lb: 0.0001}",
      "use_kl_loss=true",
      "kl_loss_coef=0.01",
      "kl_loss_type=low_var_kl",
      "entropy_loss_coef=0.01",
      "train_infer_correction={is_weight: {enabled: true, weight_type: sequence},"
          + " filters: [{enabled: true, agg_type: segment}]}"
    };
    Path run = train("clip_cov", keys).folder();
    String metrics = Files.readString(run.resolve("metrics.jsonl"));
    for (String name :
        List.of(
            "actor/kl_loss",
            "actor/is_weight_clipfrac",
            "actor/train_infer_ratio_sequence_mean",
            "actor/train_infer_segment_ratio_mask_mean",
            "actor/train_infer_final_mask_mean")) {
      assertTrue(metrics.contains(name), () -> name + " is missing in " + metrics);
    }
    assertSameRun(run, train("clip_cov-again", keys).folder());
  }

  @Test
  void keysThatNothingReadsArePointedOut() {
    LoadedConfig config =
        SmallRuns.load(
            "frozen_lake.yaml",
            folder,
            List.of(
                "lambd=0.5",
                "step_reward_gamma=0.9",
                "kl_loss_coef=0.1",
                "actor_train.pg_variant=gspo",
                "ratio_type=segment"));
    assertEquals(
        List.of("key 'kl_loss_coef' has no effect here: use_kl_loss is false"), config.notices());
    assertEquals(
        List.of(
            "key 'lambd' has no effect here: adv_estimator grpo does not read it",
            "key 'step_reward_gamma' has no effect here: adv_estimator grpo does not read it",
            "key 'ratio_type' has no effect here: pg_variant gspo does not read it"),
        SmallRuns.service(Trainer.class).check(config));
    LoadedConfig shipped = SmallRuns.load("frozen_lake_ppo.yaml", folder, List.of());
    assertEquals(List.of(), shipped.notices());
    assertEquals(List.of(), SmallRuns.service(Trainer.class).check(shipped));
  }

  @Test
  void optionsOfALossAreItsOwn() {
    UserException unknown =
        assertThrows(
            UserException.class,
            () ->
                start(
                    "wrong",
                    "actor_train.pg_variant=sapo",
                    "actor_train.pg_variant_args={tau_pso: 1}"));
    assertEquals(
        "actor_train.pg_variant_args: unknown key 'tau_pso' (allowed: tau_pos, tau_neg); did you"
            + " mean 'tau_pos'?",
        unknown.getMessage());
    UserException range =
        assertThrows(
            UserException.class,
            () ->
                start(
                    "wrong",
                    "actor_train.pg_variant=kl_cov",
                    "actor_train.pg_variant_args={kl_cov_ratio: 2}"));
    assertEquals(
        "actor_train.pg_variant_args.kl_cov_ratio: expected a number from 0 to 1, found '2'",
        range.getMessage());
  }

  @Test
  void refusesASecondRunIntoTheSameFolder() throws Exception {
    byte[] metrics = Files.readAllBytes(whole.resolve("metrics.jsonl"));
    UserException refused = assertThrows(UserException.class, () -> start("whole"));
    assertTrue(refused.getMessage().contains("already holds a run"), refused.getMessage());
    assertArrayEquals(metrics, Files.readAllBytes(whole.resolve("metrics.jsonl")));
  }

  @Test
  void leavesNoRunBehindWhereTheModelIsWrong() throws Exception {
    Path model = Files.createDirectory(folder.resolve("model"));
    Path shipped =
        Path.of(System.getProperty("roll.root"), "configs", "models", "frozen-lake-tiny");
    for (String file : List.of("config.json", "tokenizer.json", "tokenizer_config.json")) {
      Files.copy(shipped.resolve(file), model.resolve(file));
    }
    Files.write(model.resolve("model.safetensors"), new byte[] {1, 2, 3});
    UserException refused =
        assertThrows(UserException.class, () -> start("model-run", "pretrain=" + model));
    assertTrue(refused.getMessage().contains("model.safetensors"), refused.getMessage());
    train("model-run");
  }

  @Test
  void namesWhatIsRegisteredWhereANameIsWrong() {
    UserException estimator =
        assertThrows(UserException.class, () -> start("wrong", "adv_estimator=reinforcee"));
    assertTrue(
        estimator.getMessage().contains("grpo")
            && estimator.getMessage().contains("did you mean 'reinforce'"),
        estimator.getMessage());
    UserException strategy =
        assertThrows(
            UserException.class,
            () -> start("wrong", "actor_infer.strategy_args.strategy_name=vlm"));
    assertTrue(strategy.getMessage().contains("hf_infer"), strategy.getMessage());
  }

  private TrainingRun train(String name, String... overrides) throws Exception {
    TrainingRun run = start(name, overrides);
    Outcome outcome = run.outcome().get();
    assertFalse(outcome.interrupted());
    return run;
  }

  private TrainingRun start(String name, String... more) {
    List<String> overrides =
        new ArrayList<>(List.of("exp_name=" + name, "max_steps=" + STEPS, "save_steps=2"));
    overrides.addAll(List.of(more));
    return SmallRuns.start("frozen_lake.yaml", folder, overrides);
  }

  /** Same weights, same optimizer, same metrics except for what the clock and the machine say. */
  static void assertSameRun(Path expected, Path found) throws IOException {
    Path last = Path.of("checkpoint-" + STEPS);
    try (Stream<Path> files = Files.walk(expected.resolve(last))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path relative = expected.relativize(file);
        assertArrayEquals(
            Files.readAllBytes(file),
            Files.readAllBytes(found.resolve(relative)),
            () -> relative + "");
      }
    }
    assertEquals(metrics(expected), metrics(found));
  }

  /** The metrics of each step of {@code run} except for those, as text. */
  static Map<Integer, Map<String, String>> metrics(Path run) throws IOException {
    Map<Integer, Map<String, String>> steps = new TreeMap<>();
    for (String line : Files.readAllLines(run.resolve("metrics.jsonl"))) {
      JsonObject step = JsonParser.parseString(line).getAsJsonObject();
      Map<String, String> values = new TreeMap<>();
      step.getAsJsonObject("metrics")
          .asMap()
          .forEach(
              (name, value) -> {
                if (!CLOCK.matcher(name).find()) {
                  values.put(name, value.toString());
                }
              });
      steps.put(step.get("step").getAsInt(), values);
    }
    return steps;
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Path target = to.resolve(from.relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(target);
        } else {
          Files.copy(file, target);
        }
      }
    }
  }
}
