package roll.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.config.CriticConfig;
import roll.api.config.KlConfig;
import roll.api.config.LoadedConfig;
import roll.api.config.LoraConfig;
import roll.api.config.ModelConfig;
import roll.api.config.RewardNormalization;
import roll.api.config.RewardNormalization.Scope;
import roll.api.config.RunConfig;
import roll.api.config.ScheduleConfig;
import roll.api.config.TokenBudgets;
import roll.api.config.TrainingConfig;
import roll.api.config.UserException;
import roll.api.config.WorkerConfig;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.estimator.KlPenalty;
import roll.api.loss.LossSettings;
import roll.api.loss.LossSettings.Aggregation;
import roll.api.loss.LossSettings.RatioType;
import roll.api.loss.TrainInferCorrection;
import roll.api.loss.TrainInferCorrection.Filter;
import roll.api.loss.TrainInferCorrection.Level;
import roll.api.loss.TrainInferCorrection.Range;
import roll.api.loss.TrainInferCorrection.Weight;
import roll.api.strategy.Sampling;

/** What the keys become in the typed configuration. */
class TypedValuesTest {
  @TempDir Path folder = Path.of("");

  @ParameterizedTest
  @CsvSource({
    "{}, batch, NONE, NONE",
    "{grouping: batch; method: mean_std}, batch, BATCH, BATCH",
    "{grouping: traj_group_id; method: mean_std}, traj_group_id, GROUP, GROUP",
    "{grouping: tags; method: mean}, tags, GROUP, NONE",
    "{grouping: tags; method: identity}, tags, NONE, NONE",
    "{grouping: env_ids; method: asym_clip}, env_ids, GROUP, GROUP",
    "{grouping: traj_group_id; norm_mean_type: group; norm_std_type: batch}, traj_group_id, GROUP,"
        + " BATCH",
    "{grouping: tags; method: mean_std; norm_std_type: group}, tags, NONE, GROUP",
  })
  void normalizationIsDerivedAsInRoll(String yaml, String grouping, Scope mean, Scope std) {
    RunConfig run = run("reward_normalization=" + yaml.replace(';', ','));
    assertEquals(
        new RewardNormalization(grouping, mean, std, yaml.contains("asym_clip")),
        run.algorithm().rewardNormalization());
  }

  @Test
  void anEstimatorHasItsOwnOptionsAndThoseOfRoll() {
    var algorithm =
        run("step_reward_gamma=0.9", "adv_estimator_args={multi_turn: reset}").algorithm();
    assertEquals(Map.of("multi_turn", "reset"), algorithm.estimatorArgs());
    assertEquals(
        Map.of("episode_reward_weight", 1.0, "step_reward_weight", 1.0, "step_reward_gamma", 0.9),
        algorithm.estimatorDefaults());
    assertNull(algorithm.whitenAdvantages());
    assertEquals(false, run("whiten_advantages=false").algorithm().whitenAdvantages());
  }

  @Test
  void theLossHasClipsOrAClipRange() {
    assertEquals(
        new LossSettings("ppo", 0.1, 0.1, null, 0, 0.01, Aggregation.TOKEN_MEAN, RatioType.SEGMENT),
        run(
                "pg_clip=0.1",
                "pg_clip_high=0.3",
                "entropy_loss_coef=0.01",
                "kl_loss_coef=0.5",
                "loss_agg_mode=token-mean",
                "ratio_type=segment")
            .algorithm()
            .loss());
    assertEquals(
        new LossSettings(
            "tis",
            Map.of("tis_upper_bound", 2),
            0.15,
            0.3,
            1.4,
            0.5,
            KlPenalty.MSE,
            0,
            Aggregation.SEQ_MEAN_TOKEN_SUM_NORM,
            RatioType.TOKEN,
            TrainInferCorrection.NONE),
        run(
                "use_pg_clip_range=true",
                "pg_clip_low=0.15",
                "pg_clip_high=0.3",
                "dual_clip_loss=true",
                "use_kl_loss=true",
                "kl_loss_coef=0.5",
                "kl_loss_type=k2",
                "loss_agg_mode=seq-mean-token-sum-norm",
                "actor_train.pg_variant=tis",
                "actor_train.pg_variant_args={tis_upper_bound: 2}")
            .algorithm()
            .loss());
  }

  @Test
  void theCorrectionHasAWeightAndFilters() {
    assertEquals(
        new TrainInferCorrection(
            new Weight(Level.SEQUENCE, 2, true),
            List.of(
                new Filter(Level.TOKEN, new Range(0.8, 1.2), null),
                new Filter(Level.GEOMETRIC, null, new Range(-0.1, 0.2)))),
        run("train_infer_correction={is_weight: {enabled: true, weight_type: sequence,"
                + " upper_bound: 2, batch_normalize: true}, filters: [{enabled: true},"
                + " {enabled: true, agg_type: geometric, ratio_enabled: false,"
                + " diff_enabled: true, diff_low: -0.1}, {agg_type: segment}]}")
            .algorithm()
            .loss()
            .correction());
    assertEquals(
        TrainInferCorrection.NONE,
        run("train_infer_correction={is_weight: {enabled: false}, filters: []}")
            .algorithm()
            .loss()
            .correction());
  }

  @Test
  void rollsKeysOfToprAreOptionsOfToprAlone() {
    assertEquals(
        Map.of("topr_positive_weight", 2.0, "topr_negative_weight", 0.5),
        run(
                "actor_train.pg_variant=topr",
                "actor_train.topr_positive_weight=2",
                "actor_train.pg_variant_args={topr_negative_weight: 0.5}")
            .algorithm()
            .loss()
            .args());
    assertEquals(Map.of(), run("actor_train.topr_positive_weight=2").algorithm().loss().args());
  }

  @Test
  void theReferenceExistsWhereSomethingReadsIt() {
    assertNull(run("init_kl_coef=0.2").reference());
    assertNotNull(run("use_kl_loss=true").reference());
    assertNotNull(run("add_token_level_kl=true").reference());
    assertNotNull(run("enable_reference=true").reference());

    LoadedConfig idle = load("reference={infer_batch_size: 2, name: x}");
    assertNull(idle.run().reference());
    assertEquals(
        List.of(
            "key 'reference' has no effect here: neither use_kl_loss nor add_token_level_kl is"
                + " true"),
        idle.notices());
    assertEquals(
        new KlConfig(true, "k3", 0.05, 0.1, 500),
        run(
                "add_token_level_kl=true",
                "kl_penalty=k3",
                "init_kl_coef=0.05",
                "target_kl=0.1",
                "kl_horizon=500")
            .algorithm()
            .kl());
  }

  /** As in ROLL, where a critic exists with adv_estimator gae alone. */
  @Test
  void aCriticThatNothingNeedsIsCheckedAndLeftOut() {
    LoadedConfig idle =
        load(
            "reward_pretrain=somewhere",
            "value_clip=0.5",
            "critic={training_args: {learning_rate: 1.0e-5}, infer_batch_size: 4}",
            "critic.model_args={num_labels: 1}");
    assertEquals(load().run(), idle.run());
    String reason = " has no effect here: adv_estimator grpo needs no critic";
    assertEquals(
        List.of(
            "key 'critic'" + reason, "key 'reward_pretrain'" + reason, "key 'value_clip'" + reason),
        idle.notices());
  }

  @ParameterizedTest
  @CsvSource({"copy, 1", "delete, 1", "random_sample, 1"})
  void aRolloutThatDoesNotFillTheOptimizerBatchIsNoticed(String mode, long updates) {
    LoadedConfig loaded =
        load(
            "actor_train.training_args.gradient_accumulation_steps=3",
            "max_steps=5",
            "batch_adjust_mode=" + mode);
    assertEquals(updates, loaded.derived().get("updates_per_step"));
    assertEquals(
        List.of(
            "rollout_batch_size 8 is no multiple of per_device_train_batch_size ×"
                + " gradient_accumulation_steps × devices = 4 × 3 × 1 = 12: batch_adjust_mode "
                + mode
                + " decides what happens to the last 8"),
        loaded.notices());
    assertEquals(mode.toUpperCase(Locale.ROOT), loaded.run().algorithm().adjustment().toString());
  }

  @Test
  void microBatchesMayBeCountedInTokens() {
    assertEquals(TokenBudgets.NONE, run().actorTrain().budgets());
    RunConfig run =
        run(
            "actor_train.use_dynamic_batching_in_train=true",
            "actor_train.max_tokens_per_microbatch_in_train=4096",
            "actor_train.use_dynamic_batching_in_infer=true",
            "actor_train.max_tokens_per_microbatch_in_infer=8192");
    assertEquals(new TokenBudgets(4096, 8192), run.actorTrain().budgets());
    UserException refused =
        assertThrows(
            UserException.class, () -> run("actor_train.use_dynamic_batching_in_train=true"));
    assertTrue(
        refused
            .getMessage()
            .endsWith(
                "actor_train.max_tokens_per_microbatch_in_train: expected a number of tokens where"
                    + " use_dynamic_batching_in_train is true, found '0'"),
        refused.getMessage());
  }

  @Test
  void gaeHasACriticWithAModelAndAnOptimizerOfItsOwn() {
    RunConfig run =
        run(
            "adv_estimator=gae",
            "rollout_batch_size=8",
            "value_clip=0.5",
            "critic_warmup=3",
            "critic.model_args.dtype=bf16",
            "critic.training_args={learning_rate: 1.0e-5, per_device_train_batch_size: 3}");
    CriticConfig critic = Objects.requireNonNull(run.critic());
    assertEquals(0.5, critic.valueClip());
    assertEquals(3, critic.warmup());
    assertEquals("critic", critic.worker().role());
    assertEquals("local_train", critic.worker().strategy());
    assertEquals(run.pretrain(), critic.worker().model().folder());
    assertEquals(Dtype.BF16, critic.worker().model().dtype());
    assertEquals(1e-5, critic.worker().training().learningRate());
    assertEquals(3 * run.schedule().maxSteps(), critic.worker().training().totalSteps());
    assertNull(run("adv_estimator=grpo").critic());
    assertNotNull(run("adv_estimator=mine", "critic={enable: true}").critic());
    UserException refused =
        assertThrows(UserException.class, () -> run("adv_estimator=gae", "critic.enable=false"));
    assertTrue(
        refused
            .getMessage()
            .endsWith("critic.enable: expected true with adv_estimator gae, found 'false'"),
        refused.getMessage());
  }

  @Test
  void aManagersOwnSamplingWins() {
    String infer = "actor_infer.generating_args={temperature: 0.5, max_new_tokens: 7}";
    RunConfig own = run(infer, "val_env_manager.generating_args={do_sample: false, top_k: -1}");
    Sampling standard = Sampling.of(16).withTemperature(0.95).withTopP(0.7).withTopK(50);
    assertEquals(standard, own.trainEnvs().sampling());
    assertEquals(Sampling.greedy(128).withTopP(0.7), own.valEnvs().sampling());

    RunConfig shared = run(infer, "train_env_manager.generating_args=~");
    Sampling theirs = standard.withTemperature(0.5).withMaxNewTokens(7);
    assertEquals(theirs, shared.trainEnvs().sampling());
    assertEquals(theirs, shared.valEnvs().sampling());
    assertEquals(run().trainEnvs().sampling(), run().valEnvs().sampling());

    LoadedConfig idle = load(infer, "val_env_manager.generating_args={}");
    assertEquals(
        List.of(
            "key 'actor_infer.generating_args' has no effect here: both environment managers have"
                + " their own"),
        idle.notices());
  }

  @Test
  void everySettingOfSamplingIsRead() {
    String args =
        "{temperature: 0.8, top_k: 7, top_p: 0.9, min_p: 0.05, repetition_penalty: 1.2,"
            + " max_new_tokens: 32, min_new_tokens: 4, stop_strings: [</answer>, stop],"
            + " num_return_sequences: 1}";
    assertEquals(
        new Sampling(0.8, 7, 0.9, 0.05, 1.2, 32, 4, List.of("</answer>", "stop"), List.of()),
        run("train_env_manager.generating_args=" + args).trainEnvs().sampling());
    assertEquals(
        List.of("Up", "Down"),
        run("train_env_manager.generating_args.guided_choice=[Up, Down]")
            .trainEnvs()
            .sampling()
            .choices());
    assertEquals(
        List.of("</answer>"),
        run("train_env_manager.generating_args.stop_strings=</answer>")
            .trainEnvs()
            .sampling()
            .stopStrings());
  }

  @Test
  void groupsAreSplitEqually() {
    String[] tags = {
      "custom_envs.B={env_type: b, env_config: {max_steps: 3}}",
      "custom_envs.C={env_type: c, max_steps: 2}",
      "train_env_manager.tags=[C, B, FrozenLake]",
      "train_env_manager.num_env_groups=8",
      "rollout_batch_size=32",
      "val_batch_size=3",
    };
    RunConfig run = run(tags);
    assertEquals(List.of(3, 3, 2), run.trainEnvs().groupsByTag());
    assertEquals(List.of(1, 1, 1), run.valEnvs().groupsByTag());
    assertEquals(List.of("C", "B", "FrozenLake"), run.valEnvs().tags());
    assertEquals(3, Objects.requireNonNull(run.customEnvs().get("B")).maxSteps());
  }

  @ParameterizedTest
  @CsvSource({
    "roll.pipeline.agentic.env_manager.traj_env_manager.TrajEnvManager, trajectory",
    "roll.pipeline.agentic.env_manager.step_env_manager.StepEnvManager, step",
    "my_manager, my_manager",
  })
  void environmentManagersHaveIds(String written, String id) {
    RunConfig run = run("custom_envs.FrozenLake.env_manager_cls=" + written);
    assertEquals(id, Objects.requireNonNull(run.customEnvs().get("FrozenLake")).manager());
  }

  @Test
  void trackersAndTheirOptions() {
    RunConfig one = run("track_with=tensorboard", "tracker_kwargs={log_dir: x}");
    assertEquals(List.of("tensorboard"), one.trackers());
    assertEquals(Map.of("tensorboard", Map.of("log_dir", "x")), one.trackerOptions());

    RunConfig two = run("track_with=[stdout, jsonl]", "tracker_kwargs.console.color=true");
    assertEquals(List.of("console", "jsonl"), two.trackers());
    assertEquals(Map.of("console", Map.of("color", true)), two.trackerOptions());
    assertEquals(List.of(), run("track_with=[]").trackers());
  }

  @Test
  void rolesKeepTheirModelsStrategiesAndDevices() {
    RunConfig run =
        run(
            "actor_train.device_mapping=list(range(0,2))",
            "actor_train.model_args={dtype: bf16, freeze_module_prefix: 'model.embed, lm_head'}",
            "actor_train.strategy_args={strategy_name: megatron_train, strategy_config: {a: 1}}",
            "actor_infer.model_args.model_name_or_path=" + folder,
            "actor_infer.data_args.template=qwen2_5",
            "actor_infer.infer_batch_size=3");
    WorkerConfig train = run.actorTrain();
    assertEquals(List.of(0, 1), train.devices());
    assertEquals(Dtype.BF16, train.model().dtype());
    assertEquals(List.of("model.embed", "lm_head"), train.model().frozen());
    assertEquals(List.of(), run.actorInfer().model().frozen());
    assertTrue(train.model().checkpointing());
    assertFalse(
        run("actor_train.model_args.disable_gradient_checkpointing=true")
            .actorTrain()
            .model()
            .checkpointing());
    assertFalse(train.model().wideLogits());
    assertTrue(run("actor_train.logits_in_fp32=true").actorTrain().model().wideLogits());
    assertEquals("megatron_train", train.strategy());
    assertEquals(Map.of("a", 1), train.strategyOptions());
    assertEquals(folder.resolve("model"), train.model().folder());
    assertEquals(folder, run.actorInfer().model().folder());
    assertEquals("qwen2_5", run.actorInfer().template());
    assertEquals(3, run.actorInfer().inferBatchSize());
    assertEquals(
        folder,
        run("pretrain=~", "actor_train.model_args.model_name_or_path=" + folder).pretrain());
  }

  @Test
  void adaptersAreThoseOfActorTrain() {
    assertNull(run().actorTrain().model().lora());
    LoadedConfig some = load("actor_train.model_args.lora_target='q_proj, v_proj'");
    LoraConfig standard = new LoraConfig(8, 16, 0, List.of("q_proj", "v_proj"));
    assertEquals(standard, some.run().actorTrain().model().lora());
    assertEquals(List.of(), some.notices());
    assertEquals(
        new LoraConfig(4, 7, 0.1, List.of(".*(q|v)_proj,?")),
        run("actor_train.model_args={lora_target: '.*(q|v)_proj,?', lora_rank: 4, lora_alpha: 7,"
                + " lora_dropout: 0.1}")
            .actorTrain()
            .model()
            .lora());
    ModelConfig old =
        run("actor_train.model_args.adapter_name_or_path=" + folder).actorTrain().model();
    assertEquals(folder, old.adapter());
    assertTrue(old.adapted());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {lora_target: []}                         | lora_target: expected names of projections, all-linear, or a regular expression, found '[]'
          {lora_target: [' , ']}                    | lora_target: expected names of projections
          {lora_target: q_proj, lora_dropout: 1}    | lora_dropout: expected a number from 0 up, below 1, found '1'
          {lora_target: q_proj, lora_rank: 0}       | lora_rank: expected a whole number of at least 1, found '0'
          {lora_target: a, adapter_name_or_path: b} | adapter_name_or_path: expected nothing where lora_target is given
          {adapter_name_or_path: nowhere}           | adapter_name_or_path: no folder 'nowhere'
          """)
  void refusesAdaptersThatDoNotFit(String model, String message) {
    UserException refused =
        assertThrows(UserException.class, () -> load("actor_train.model_args=" + model));
    assertTrue(
        refused.getMessage().contains("actor_train.model_args." + message), refused.getMessage());
  }

  @Test
  void saysWhatIsIdleAboutAdapters() {
    LoadedConfig idle =
        load(
            "actor_train.model_args={lora_rank: 4, autocast_adapter_dtype: true}",
            "actor_infer.model_args={lora_target: all-linear, adapter_name_or_path: x}",
            "use_kl_loss=true",
            "reference.model_args={lora_alpha: 2, adapter_name_or_path: " + folder + "}");
    assertEquals(
        List.of(
            "key 'actor_train.model_args.autocast_adapter_dtype' has no effect here: adapters are"
                + " always 32 bits wide",
            "key 'actor_train.model_args.lora_rank' has no effect here: lora_target is not given",
            "key 'actor_infer.model_args.lora_target' has no effect here: this role is"
                + " not trained",
            "key 'actor_infer.model_args.adapter_name_or_path' has no effect here: actor_infer has"
                + " the adapters of actor_train",
            "key 'reference.model_args.lora_alpha' has no effect here: this role is not"
                + " trained"),
        idle.notices());
    assertNull(idle.run().actorInfer().model().adapter());
    WorkerConfig reference = Objects.requireNonNull(idle.run().reference());
    assertEquals(folder, reference.model().adapter());
    assertEquals(
        List.of(
            "key 'actor_train.model_args.freeze_module_prefix' has no effect here: with adapters"
                + " the whole model is frozen"),
        load("actor_train.model_args={lora_target: all-linear, freeze_module_prefix: model}")
            .notices());
  }

  @Test
  void theOptimizerKnowsTheLengthOfTheRun() {
    RunConfig run =
        run(
            "ppo_epochs=3",
            "actor_train.training_args={learning_rate: 1e-6, lr_scheduler_type:"
                + " constant_with_warmup, weight_decay: 0.1, adam_beta2: 0.95,"
                + " per_device_train_batch_size: 2, gradient_accumulation_steps: 2, warmup_ratio:"
                + " 0.11}");
    // 8 trajectories / (2 × 2) × 3 epochs × 10 steps = 60 updates; 0.11 of them, rounded up
    assertEquals(
        new TrainingConfig(1e-6, 0.1, 0.9, 0.95, 2, 2, "constant", 7, 60),
        run.actorTrain().training());
  }

  @Test
  void schedulesAndResuming() {
    assertEquals(
        new ScheduleConfig(10, 5, 2, 0, 0, 8, -1, true, null),
        run(
                "save_steps=5",
                "max_ckpt_to_keep=2",
                "logging_steps=0",
                "eval_steps=-1",
                "val_batch_size=-1",
                "resume_from_checkpoint=true")
            .schedule());
    ScheduleConfig named = run("resume_from_checkpoint=" + folder).schedule();
    assertTrue(named.resume());
    assertEquals(folder, named.resumeFrom());
  }

  @Test
  void lengthsAddUp() {
    assertEquals(1536, run("sequence_length=~", "response_length=512").sequenceLength());
    LoadedConfig both = load("response_length=512");
    assertEquals(128, both.run().sequenceLength());
    assertEquals(
        List.of("key 'response_length' has no effect here: sequence_length is given"),
        both.notices());
  }

  @Test
  void derivedNumbersAreThoseOfTheClickAndReadRun() {
    LoadedConfig loaded =
        load(
            "max_steps=1024",
            "rollout_batch_size=512",
            "val_batch_size=512",
            "train_env_manager.num_env_groups=64",
            "train_env_manager.group_size=8",
            "actor_train.device_mapping=list(range(0,8))",
            "actor_train.training_args.per_device_train_batch_size=2",
            "actor_train.training_args.gradient_accumulation_steps=16");
    assertEquals(
        "{train_env_groups=64, train_envs=512, episodes_per_train_env=1, val_env_groups=512,"
            + " mini_batch=16, effective_batch=256, updates_per_step=2, total_updates=2048,"
            + " total_trajectories=524288, evaluations=103}",
        loaded.derived().toString());
  }

  private RunConfig run(String... overrides) {
    return load(overrides).run();
  }

  private LoadedConfig load(String... overrides) {
    return new ConfigFiles(folder).load(ConfigFiles.SMALL, overrides);
  }
}
