package roll.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.config.RewardConfig;
import roll.api.estimator.KlPenalty;
import roll.api.estimator.RewardNormalization;
import roll.api.estimator.RewardNormalization.Scope;
import roll.api.loss.LossSettings;
import roll.api.loss.LossSettings.Aggregation;
import roll.api.loss.LossSettings.Norm;
import roll.api.loss.LossSettings.RatioType;
import roll.api.loss.TrainInferCorrection;
import roll.api.loss.TrainInferCorrection.Divergence;
import roll.api.loss.TrainInferCorrection.Estimate;
import roll.api.loss.TrainInferCorrection.Filter;
import roll.api.loss.TrainInferCorrection.Level;
import roll.api.loss.TrainInferCorrection.Range;
import roll.api.loss.TrainInferCorrection.Weight;
import roll.runtime.config.LoadedConfig;
import roll.runtime.config.RunConfig;

/** The typed configuration of rewards, estimators and losses. */
class AlgorithmKeysTest extends SmallConfigFixture {
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
        run.algorithm().rewards().normalization());
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
    return Objects.requireNonNull(run.rollout().customEnvs().get("FrozenLake")).rewards();
  }

  private void assertThat(String override, String end) {
    String message = userError(() -> run(override));
    assertTrue(message.contains(end), message);
  }

  @Test
  void anEstimatorHasItsOwnOptionsAndThoseOfRoll() {
    var algorithm =
        run("step_reward_gamma=0.9", "adv_estimator_args={multi_turn: reset}").algorithm();
    assertEquals(Map.of("multi_turn", "reset"), algorithm.estimator().args());
    assertEquals(
        Map.of("episode_reward_weight", 1.0, "step_reward_weight", 1.0, "step_reward_gamma", 0.9),
        algorithm.estimator().defaults());
    assertNull(algorithm.advantages().whiten());
    assertEquals(false, run("whiten_advantages=false").algorithm().advantages().whiten());
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
            TrainInferCorrection.NONE,
            new Norm(127, false)),
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
  void theNormIsAConstant() {
    String norm = "loss_agg_mode=seq-mean-token-sum-norm";
    assertEquals(new Norm(256, true), run(norm, "loss_scale_factor=256").algorithm().loss().norm());
    assertNull(run("loss_agg_mode=token-mean").algorithm().loss().norm());
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
  void aWeightMayHaveTwoBoundsAndFollowTheCurrentPolicy() {
    assertEquals(
        new TrainInferCorrection(new Weight(Level.TOKEN, .5, 4, false), List.of(), true),
        run("train_infer_correction={current_log_probs: true, is_weight: {enabled: true,"
                + " lower_bound: 0.5, upper_bound: 4}}")
            .algorithm()
            .loss()
            .correction());
    assertThat(
        "train_infer_correction={is_weight: {enabled: true, lower_bound: 3, upper_bound: 2}}",
        "train_infer_correction.is_weight.lower_bound: expected a number of at most 2.0, the"
            + " upper_bound, found '3'");
  }

  @Test
  void rolloutsOfAQuantizedEngineAreCorrectedUnlessTheRunSaysOtherwise() {
    String int8 = "actor_infer.strategy_args.strategy_config={quantization: int8}";
    assertEquals(
        new TrainInferCorrection(new Weight(Level.TOKEN, 1.2, false), List.of()),
        run(int8).algorithm().loss().correction());
    for (String own :
        List.of(
            "train_infer_correction=~",
            "train_infer_correction={is_weight: {enabled: false}}",
            "force_disable_old_logprobs_recompute=true")) {
      assertEquals(TrainInferCorrection.NONE, run(int8, own).algorithm().loss().correction());
    }
    assertEquals(
        TrainInferCorrection.NONE,
        run("actor_infer.strategy_args.strategy_config={quantization: ~}")
            .algorithm()
            .loss()
            .correction());
  }

  @Test
  void partialRolloutsAreCorrectedByTokenUnlessTheRunSaysOtherwise() {
    String ahead = "async_generation_ratio=1";
    RunConfig run = run(ahead, "partial_rollout=true", "partial_rollout_cache=keep");
    assertEquals(
        Map.of("partial_rollout", true, "partial_rollout_cache", "keep"), engineOptions(run));
    assertEquals(
        new TrainInferCorrection(new Weight(Level.TOKEN, 1.2, false), List.of()),
        run.algorithm().loss().correction());
    for (RunConfig without :
        List.of(
            run(ahead),
            run(ahead, "partial_rollout=false"),
            run(ahead, "partial_rollout_cache=keep"),
            run("partial_rollout=true"),
            run(ahead, "partial_rollout=true", "train_infer_correction=~"),
            run(ahead, "partial_rollout=true", "force_disable_old_logprobs_recompute=true"))) {
      assertEquals(TrainInferCorrection.NONE, without.algorithm().loss().correction());
    }
    assertThat("partial_rollout=some", "partial_rollout: expected true or false, found 'some'");
    assertThat(
        "partial_rollout_cache=drop", "partial_rollout_cache: expected one of recompute, keep");
  }

  @Test
  void partialRolloutsAreForAsynchronousTraining() {
    String corrected =
        "partial_rollout: train_infer_correction.is_weight is enabled"
            + " (train_infer_correction: ~ turns it off)";
    assertTrue(
        load("async_generation_ratio=1", "partial_rollout=true").notices().contains(corrected));
    LoadedConfig loaded = load("partial_rollout=true", "partial_rollout_cache=keep");
    assertEquals(Map.of(), engineOptions(loaded.run()));
    for (String key : List.of("partial_rollout", "partial_rollout_cache")) {
      String line =
          key + " has no effect: with async_generation_ratio: 0 weights change between rollouts";
      assertTrue(loaded.notices().contains(line), loaded.notices()::toString);
    }
  }

  private static Map<String, ?> engineOptions(RunConfig run) {
    return run.roles().actorInfer().strategyOptions().values();
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
}
