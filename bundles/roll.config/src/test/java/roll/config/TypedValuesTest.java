package roll.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
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
import roll.api.config.RewardConfig;
import roll.api.estimator.KlPenalty;
import roll.api.estimator.RewardNormalization;
import roll.api.estimator.RewardNormalization.Scope;
import roll.api.loss.LossSettings;
import roll.api.loss.LossSettings.Aggregation;
import roll.api.loss.LossSettings.RatioType;
import roll.api.loss.TrainInferCorrection;
import roll.api.loss.TrainInferCorrection.Divergence;
import roll.api.loss.TrainInferCorrection.Estimate;
import roll.api.loss.TrainInferCorrection.Filter;
import roll.api.loss.TrainInferCorrection.Level;
import roll.api.loss.TrainInferCorrection.Range;
import roll.api.loss.TrainInferCorrection.Weight;
import roll.api.option.UserException;
import roll.api.strategy.Sampling;
import roll.runtime.config.LoadedConfig;
import roll.runtime.config.RolloutMockConfig;
import roll.runtime.config.RunConfig;
import roll.runtime.config.ScheduleConfig;

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
  void rewardsHaveAWeightAndOptionsOfTheirOwn() {
    String key = "custom_envs.FrozenLake.rewards=";
    assertEquals(List.of(), rewards(run()));
    assertEquals(
        List.of(
            new RewardConfig("a", 0.5, Map.of()),
            new RewardConfig("b", 1, Map.of("most", 3)),
            new RewardConfig("c", -2, Map.of())),
        rewards(run(key + "{a: 0.5, b: {most: 3}, c: {weight: -2}}")));
    assertThat(key + "{a: much}", ".rewards.a: expected a number, found 'much'");
    assertThat(key + "{a: {weight: .inf}}", ".rewards.a.weight: expected a number, found");
  }

  private static List<RewardConfig> rewards(RunConfig run) {
    return Objects.requireNonNull(run.customEnvs().get("FrozenLake")).rewards();
  }

  private void assertThat(String override, String end) {
    String message =
        String.valueOf(assertThrows(UserException.class, () -> run(override)).getMessage());
    assertTrue(message.contains(end), message);
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
                new Filter(Level.TOKEN, new Range(0.8, 1.2), null, null),
                new Filter(Level.GEOMETRIC, null, new Range(-0.1, 0.2), null),
                new Filter(Level.MAX, null, null, new Divergence(Estimate.K3, 0.05)))),
        run("train_infer_correction={is_weight: {enabled: true, weight_type: sequence,"
                + " upper_bound: 2, batch_normalize: true}, filters: [{enabled: true},"
                + " {enabled: true, agg_type: geometric, ratio_enabled: false,"
                + " diff_enabled: true, diff_low: -0.1}, {agg_type: segment},"
                + " {enabled: true, agg_type: max, kl: k3, kl_high: 0.05}]}")
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

  /** As in ROLL, where a critic exists with adv_estimator gae alone. */
  @ParameterizedTest
  @CsvSource({"copy, 2", "delete, 1", "auto, 1", "random_sample, 1"})
  void aRolloutThatDoesNotFillTheOptimizerBatchIsNoticed(String mode, long updates) {
    LoadedConfig loaded =
        load(
            "actor_train.training_args.per_device_train_batch_size=5",
            "max_steps=5",
            "batch_adjust_mode=" + mode);
    assertEquals(updates, loaded.derived().get("updates_per_step"));
    assertEquals(
        List.of(
            "rollout_batch_size 8 is no multiple of per_device_train_batch_size ×"
                + " gradient_accumulation_steps × replicas = 5 × 1 × 1 = 5: batch_adjust_mode "
                + mode
                + " decides what happens to the last 3"),
        loaded.notices());
    assertEquals(mode.toUpperCase(Locale.ROOT), loaded.run().algorithm().adjustment().toString());
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

  /** ROLL's bounds on environments: one that holds, one that has no meaning in one process. */
  @Test
  void boundsOnEnvironments() {
    for (int most : List.of(-1, 2, 7)) {
      LoadedConfig loaded =
          load(
              "train_env_manager.num_env_groups=1",
              "rollout_batch_size=8",
              "train_env_manager.max_traj_per_env=" + most);
      assertEquals(List.of(), loaded.notices());
      assertEquals(2, loaded.derived().get("episodes_per_train_env"));
    }
    assertEquals(
        List.of(
            "key 'val_env_manager.max_env_num_per_worker' has no effect here: all environments run"
                + " in one process, where max_env_step_concurrent of a tag bounds how many work at"
                + " once"),
        load("val_env_manager.max_env_num_per_worker=1").notices());
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
  void schedulesAndResuming() {
    assertEquals(
        new ScheduleConfig(10, 5, 2, false, 0, 0, false, 3, 8, -1, 0, true, null),
        run(
                "save_steps=5",
                "max_ckpt_to_keep=2",
                "async_save_ckpt=false",
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
  void rolloutsMayBeWrittenOrRead() {
    assertNull(run().rolloutMock());
    assertEquals(
        new RolloutMockConfig(
            RolloutMockConfig.Mode.DUMP,
            Path.of("rollout_mock_dumps").toAbsolutePath().normalize()),
        run("rollout_mock.enable=true").rolloutMock());
    assertEquals(
        new RolloutMockConfig(RolloutMockConfig.Mode.MOCK, folder.resolve("dumps")),
        run("rollout_mock={enable: true, mode: mock, dump_dir: " + folder + "/x/../dumps}")
            .rolloutMock());
    LoadedConfig off = load("rollout_mock={enable: false, mode: mock}");
    assertNull(off.run().rolloutMock());
    assertEquals(
        List.of("key 'rollout_mock' has no effect here: rollout_mock.enable is false"),
        off.notices());
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
            + " total_trajectories=524288, evaluations=104}",
        loaded.derived().toString());
  }

  private RunConfig run(String... overrides) {
    return load(overrides).run();
  }

  private LoadedConfig load(String... overrides) {
    return new ConfigFiles(folder).load(ConfigFiles.SMALL, overrides);
  }
}
