package roll.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import roll.api.option.UserException;
import roll.runtime.config.LoadedConfig;
import roll.runtime.pipeline.Trainer;

/** Estimators, losses and sampling receive their configured options and required inputs. */
@Tag("framework")
@Timeout(240)
class AlgorithmOptionsTest {
  private final Path folder;

  private final FrozenLakeRuns runs;

  AlgorithmOptionsTest(@TempDir Path folder) {
    this.folder = folder;
    this.runs = new FrozenLakeRuns(folder);
  }

  @Test
  void episodesAreSampledAsTheConfigurationSays() throws Exception {
    Set<String> written = new TreeSet<>();
    Path run =
        runs.train(
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

  /** Rollouts and training apply the same temperature. */
  @Test
  void logitsAreDividedInRolloutsAndInTraining() throws Exception {
    Path run =
        runs.train(
                "divided",
                "scale_logits_by_temperature=true",
                "train_env_manager.generating_args.temperature=0.6",
                "force_disable_old_logprobs_recompute=false",
                "train_infer_correction={is_weight: {enabled: true}}",
                "max_steps=1")
            .folder();
    String line = Files.readAllLines(run.resolve("metrics.jsonl")).getFirst();
    JsonObject metrics = JsonParser.parseString(line).getAsJsonObject().getAsJsonObject("metrics");
    assertEquals(1, metrics.get("actor/train_infer_ratio_token_mean").getAsDouble(), 1e-5);
    assertEquals(0, metrics.get("actor/train_infer_diff_token_mean").getAsDouble(), 1e-5);
  }

  /** With {@code batch_invariant} the log-probs of rollout and training are the same bits. */
  @ParameterizedTest
  @ValueSource(strings = {"vllm", "hf_infer"})
  void rolloutAndTrainingComputeTheSameBits(String engine) throws Exception {
    Path run =
        runs.train(
                engine,
                "batch_invariant=true",
                "actor_infer.strategy_args.strategy_name=" + engine,
                "actor_infer.strategy_args.strategy_config=~",
                "force_disable_old_logprobs_recompute=false",
                "train_infer_correction={is_weight: {enabled: true}}",
                "max_steps=2")
            .folder();
    for (String line : Files.readAllLines(run.resolve("metrics.jsonl")).subList(0, 2)) {
      JsonObject metrics =
          JsonParser.parseString(line).getAsJsonObject().getAsJsonObject("metrics");
      assertEquals(0.0, metrics.get("actor/train_infer_diff_token_mean").getAsDouble());
      double ratio = metrics.get("actor/train_infer_ratio_token_mean").getAsDouble();
      assertEquals(1, ratio, 1e-12); // a mean of ones, rounded
    }
  }

  /** Trains with an estimator that reads turns and states, and one that needs greedy rollouts. */
  @Test
  void estimatorsGetWhatTheyNeed() throws Exception {
    runs.train("gigpo", "adv_estimator=gigpo", "step_reward_gamma=0.9", "max_steps=1");
    Path run =
        runs.train(
                "remax",
                "adv_estimator=remax",
                "reward_normalization.method=identity",
                "max_steps=1")
            .folder();
    String metrics = Files.readString(run.resolve("metrics.jsonl"));
    assertTrue(metrics.contains("critic/reward_baselines/mean"), metrics);
  }

  /** Trains with a sample per turn; the turns of an episode still belong together. */
  @Test
  void trainsOnSingleTurns() throws Exception {
    Path run =
        runs.train(
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

  /** Trains with a loss that surveys the batch and all terms and corrections, reproducibly. */
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
    Path run = runs.train("clip_cov", keys).folder();
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
    RunAssertions.assertSameRun(run, runs.train("clip_cov-again", keys).folder());
  }

  /** The penalty is the divergence from a separate reference, reproducibly. */
  @Test
  void thePenaltyIsTheDivergenceItself() throws Exception {
    Path run = penalized("full", "reference.strategy_args.strategy_name=hf_infer");
    RunAssertions.assertSameRun(
        run, penalized("again", "reference.strategy_args.strategy_name=vllm"));
  }

  /** The penalty is the divergence from the policy without its adapters. */
  @Test
  void adaptersArePenalizedByTheDivergenceItself() throws Exception {
    penalized("adapted", "actor_train.model_args={lora_target: all-linear, lora_rank: 4}");
  }

  private Path penalized(String name, String model) throws Exception {
    Path run =
        runs.train(
                name,
                "kl_penalty=full",
                "add_token_level_kl=true",
                "init_kl_coef=0.05",
                "actor_train.training_args.learning_rate=0.01",
                model)
            .folder();
    Map<Integer, Map<String, String>> metrics = RunAssertions.metrics(run);
    assertEquals(0, kl(metrics, 0), 1e-6, "the policy is its reference");
    assertTrue(kl(metrics, FrozenLakeRuns.STEPS - 1) > 1e-4, () -> "not moved: " + metrics);
    return run;
  }

  @Test
  void modelsThatAreApartAreNotCompared() {
    assertEquals(
        "actor_train.strategy_args.strategy_name: 'megatron_train' does not measure divergences, as"
            + " kl_penalty: full asks; local_train can",
        refusal("actor_train.strategy_args.strategy_name=megatron_train"));
    assertEquals(
        "reference.strategy_args.strategy_name: 'deepspeed_infer' does not give its distributions"
            + " on this machine, as kl_penalty: full asks; hf_infer and vllm can",
        refusal("reference.strategy_args.strategy_name=deepspeed_infer"));
    assertEquals(
        "kl_penalty: full compares the distributions of two models on one device, but"
            + " actor_train.device_mapping is [] and reference.device_mapping [1]: give both the"
            + " same",
        refusal("reference.device_mapping=[1]"));
    assertEquals(
        "kl_penalty: full compares distributions over the same words, but actor_train has 144 and"
            + " reference 295",
        refusal(
            "reference.model_args.model_name_or_path="
                + SmallRuns.config("models/click-and-read-words")));
  }

  /** Returns the refusal of the shipped FrozenLake run with a full penalty and {@code key}. */
  private String refusal(String key) {
    List<String> keys =
        List.of(
            "kl_penalty=full",
            "add_token_level_kl=true",
            "reference.strategy_args.strategy_name=hf_infer",
            "reference.data_args.template=native",
            key);
    LoadedConfig config = SmallRuns.load("frozen_lake.yaml", folder, keys);
    return String.valueOf(
        assertThrows(UserException.class, () -> SmallRuns.service(Trainer.class).check(config))
            .getMessage());
  }

  private static double kl(Map<Integer, Map<String, String>> metrics, int step) {
    return Double.parseDouble(
        Objects.requireNonNull(metrics.get(step)).getOrDefault("critic/kl", ""));
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
  void optionsOfAnEstimatorAreItsOwn() {
    UserException unknown =
        assertThrows(
            UserException.class,
            () ->
                runs.start("wrong", "adv_estimator=rloo", "adv_estimator_args={multi_turn: skip}"));
    assertEquals(
        "adv_estimator_args: unknown key 'multi_turn' (allowed: none)", unknown.getMessage());
    UserException word =
        assertThrows(
            UserException.class,
            () ->
                runs.start(
                    "wrong",
                    "adv_estimator=reinforce++",
                    "adv_estimator_args={multi_turn: carri}"));
    assertEquals(
        "adv_estimator_args.multi_turn: expected one of skip, carry, reset, found 'carri'; did you"
            + " mean 'carry'?",
        word.getMessage());
  }

  @Test
  void optionsOfALossAreItsOwn() {
    UserException unknown =
        assertThrows(
            UserException.class,
            () ->
                runs.start(
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
                runs.start(
                    "wrong",
                    "actor_train.pg_variant=kl_cov",
                    "actor_train.pg_variant_args={kl_cov_ratio: 2}"));
    assertEquals(
        "actor_train.pg_variant_args.kl_cov_ratio: expected a number from 0 to 1, found '2'",
        range.getMessage());
  }

  @Test
  void namesWhatIsRegisteredWhereANameIsWrong() {
    UserException estimator =
        assertThrows(UserException.class, () -> runs.start("wrong", "adv_estimator=reinforcee"));
    assertTrue(
        estimator.getMessage().contains("grpo")
            && estimator.getMessage().contains("did you mean 'reinforce'"),
        estimator.getMessage());
    UserException strategy =
        assertThrows(
            UserException.class,
            () -> runs.start("wrong", "actor_infer.strategy_args.strategy_name=vlm"));
    assertTrue(strategy.getMessage().contains("hf_infer"), strategy.getMessage());
  }
}
