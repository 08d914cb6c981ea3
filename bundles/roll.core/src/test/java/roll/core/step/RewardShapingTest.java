package roll.core.step;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import roll.api.data.Batch;
import roll.api.data.Trajectory;
import roll.api.data.TrajectoryKey;
import roll.api.estimator.AdvantageEstimator;
import roll.api.estimator.Advantages;
import roll.api.estimator.EstimatorInfo;
import roll.api.estimator.RewardNormalization;
import roll.api.estimator.RewardNormalization.Scope;
import roll.api.estimator.TokenRewards;
import roll.api.loss.LossSettings;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.option.UserException;
import roll.core.plugin.EstimatorSettings;
import roll.runtime.config.algorithm.AdvantageConfig;
import roll.runtime.config.algorithm.AlgorithmConfig;
import roll.runtime.config.algorithm.BatchAdjustment;
import roll.runtime.config.algorithm.EstimatorConfig;
import roll.runtime.config.algorithm.KlConfig;
import roll.runtime.config.algorithm.RewardShapingConfig;

class RewardShapingTest {
  private static final int[] OFFSETS = {0, 4, 7};
  private static final int[] TURNS = {-1, 0, -1, 1, -1, 0, 0};
  private static final EstimatorInfo PLAIN = EstimatorInfo.of("test", "A", "none");
  private static final RewardNormalization BY_TAG =
      new RewardNormalization("tags", Scope.GROUP, Scope.NONE, false);

  private final Map<String, Double> metrics = new HashMap<>();

  @Test
  void puts_the_reward_on_the_last_policy_token() {
    Batch batch = shaping(new Settings()).spread(batch(2, -1), metrics);
    assertArrayEquals(new double[] {0, 0, 0, 2, 0, 0, -1}, batch.column(Batch.TOKEN_REWARDS));
  }

  /**
   * Numbers of {@code apply_kl_penalty} of {@code
   * volcengine/verl@b178a3c:verl/trainer/ppo/ray_trainer.py#L70}, with tokens put in that the
   * policy did not write.
   */
  @Test
  void takes_the_kl_penalty_off_policy_tokens_only() {
    KlConfig adaptive = new KlConfig(true, "kl", .2, .1, 100);
    KlController controller = new KlController(adaptive);
    Batch scored =
        batch(1, 0)
            .withColumn(Batch.OLD_LOG_PROBS, new double[] {9, -.5, 9, -.4, 9, -1, -.7})
            .withColumn(Batch.REFERENCE_LOG_PROBS, new double[] {0, -.7, 0, -.3, 0, -1.1, -1});
    Batch batch =
        new RewardShaping(new Settings().kl(adaptive).config(), controller, ones(PLAIN))
            .spread(scored, metrics);
    assertArrayEquals(
        new double[] {0, -.04, 0, 1.02, 0, -.02, -.06}, batch.column(Batch.TOKEN_REWARDS), 1e-12);
    assertEquals((.05 + .2) / 2, metrics.get("critic/kl"), 1e-12);
    assertEquals(.2, metrics.get("critic/kl_coef"), 1e-12);
    assertEquals(.2008, controller.coefficient(), 1e-12);
  }

  @Test
  void the_full_penalty_is_the_divergence_and_not_the_difference_of_log_probs() {
    KlConfig full = new KlConfig(true, "full", .2, null, 100);
    Batch scored =
        batch(1, 0)
            .withColumn(Batch.OLD_LOG_PROBS, new double[] {9, -.5, 9, -.4, 9, -1, -.7})
            .withColumn(Batch.REFERENCE_LOG_PROBS, new double[7])
            .withColumn(Batch.DIVERGENCES, new double[] {0, .1, 0, .3, 0, .5, .7});
    Batch batch =
        new RewardShaping(new Settings().kl(full).config(), new KlController(full), ones(PLAIN))
            .spread(scored, metrics);
    assertArrayEquals(
        new double[] {0, -.02, 0, .94, 0, -.1, -.14}, batch.column(Batch.TOKEN_REWARDS), 1e-12);
    assertEquals((.2 + .6) / 2, metrics.get("critic/kl"), 1e-12);
  }

  @Test
  void clips_rewards_and_advantages_and_counts() {
    RewardShaping shaping =
        new RewardShaping(
            new Settings().clips(.5, .2).config(),
            new KlController(Settings.NO_KL),
            estimator(PLAIN, rewards -> new double[] {7, 1, 7, -1, 7, .1, 0}));
    Batch batch = shaping.normalize(scores(2, -.1), metrics);
    assertArrayEquals(new double[] {.5, -.1}, batch.column(Batch.RESPONSE_REWARDS), 1e-12);
    assertEquals(.5, metrics.get("critic/reward_clip_frac"), 1e-12);

    Batch spread = shaping.spread(batch, metrics);
    Batch ready = shaping.advantages(spread, spread, metrics);
    assertArrayEquals(
        new double[] {0, .2, 0, -.2, 0, .1, 0}, ready.column(Batch.ADVANTAGES), 1e-12);
    assertEquals(.5, metrics.get("critic/advantage_clip_frac"), 1e-12);
  }

  @Test
  void the_estimator_says_whether_to_whiten_unless_the_configuration_does() {
    double[] plain = {0, 1, 0, 1, 0, 0, 0};
    double[] white = {0, .866025, 0, .866025, 0, -.866025, -.866025};
    assertArrayEquals(plain, advantages(PLAIN, new Settings()), 2e-6);
    assertArrayEquals(white, advantages(PLAIN, new Settings().whiten(true)), 2e-6);
    assertArrayEquals(white, advantages(PLAIN.whitened(), new Settings()), 2e-6);
    assertArrayEquals(plain, advantages(PLAIN.whitened(), new Settings().whiten(false)), 2e-6);
  }

  /** Estimated of all tokens, whitened over the three that are kept: of mean 2 and variance 1. */
  @Test
  void what_is_left_out_counts_in_the_estimate_and_not_in_whitening() {
    AdvantageEstimator first =
        estimator(
            PLAIN,
            rewards -> {
              assertEquals(2, rewards.layout().countBySample()[0]);
              return new double[] {0, 9, 0, 1, 0, 2, 3};
            });
    Batch batch = batch(0, 0).withColumn(Batch.TOKEN_REWARDS, new double[7]);
    Batch kept = batch.keeping(new boolean[] {true, false, true, true, true, true, true});
    Batch ready =
        new RewardShaping(
                new Settings().whiten(true).config(), new KlController(Settings.NO_KL), first)
            .advantages(batch, kept, metrics);
    assertArrayEquals(new double[] {0, 0, 0, -1, 0, 0, 1}, ready.column(Batch.ADVANTAGES), 1e-7);
    assertArrayEquals(kept.layout().mask(), ready.layout().mask());
  }

  /** The deviation of 1 and 3 is √2, that of 5 and 5 is 0. */
  @Test
  void each_tag_is_whitened_alone() {
    AdvantageEstimator four = estimator(PLAIN, rewards -> new double[] {9, 1, 9, 3, 9, 5, 5});
    Batch batch =
        batch(0, 0)
            .withColumn(Batch.TAGS, List.of("a", "b"))
            .withColumn(Batch.TOKEN_REWARDS, new double[7]);
    Batch ready =
        new RewardShaping(
                new Settings().whitenByTag().config(), new KlController(Settings.NO_KL), four)
            .advantages(batch, batch, metrics);
    double white = Math.sqrt(0.5);
    assertArrayEquals(
        new double[] {0, -white, 0, white, 0, 0, 0}, ready.column(Batch.ADVANTAGES), 1e-7);
  }

  @Test
  void normalizes_within_any_labels() {
    Batch batch = shaping(new Settings().normalize(BY_TAG)).normalize(scores(2, -1), metrics);
    assertArrayEquals(new double[] {1.5, -1.5}, batch.column(Batch.RESPONSE_REWARDS));
  }

  /** An estimator of turns gets raw rewards by turn, the grouping to use and what it needs. */
  @Test
  void estimators_of_turns_get_turn_rewards() {
    Batch batch =
        scores(3, 1)
            .withColumn(Batch.GROUP_IDS, List.of("g", "h"))
            .withColumn(Batch.TURN_REWARDS, new double[] {0, 1, 0, 2, 0, 0, 1});
    AdvantageEstimator turns =
        estimator(
            PLAIN.withNeeds(Batch.TURN_REWARDS),
            rewards -> {
              assertArrayEquals(new int[] {0, 0}, rewards.groups());
              assertEquals(BY_TAG, rewards.normalization());
              return rewards.rewards();
            });
    RewardShaping shaping =
        new RewardShaping(
            new Settings().normalize(BY_TAG).config(), new KlController(Settings.NO_KL), turns);
    Batch spread = shaping.spread(shaping.normalize(batch, metrics), metrics);
    Batch ready = shaping.advantages(spread, spread, metrics);
    assertArrayEquals(new double[] {0, 1, 0, 2, 0, 0, 1}, ready.column(Batch.ADVANTAGES), 1e-12);
    assertEquals(4, metrics.get("critic/part/max"));
  }

  @Test
  void greedy_scores_are_the_baselines_of_their_group() {
    Trajectory greedy =
        new Trajectory(
            new TrajectoryKey("T", 3, 0, 0, 9),
            List.of(),
            new double[] {.5, 1},
            new long[2],
            List.of(),
            Map.of(),
            "terminated");
    Batch batch = scores(3, 1).withColumn(Batch.GROUP_IDS, List.of("T_3_0_9", "T_3_0_9"));
    Batch found = shaping(new Settings()).withBaselines(batch, List.of(greedy), metrics);
    assertArrayEquals(new double[] {1.5, 1.5}, found.column(Batch.REWARD_BASELINES));
    assertEquals(1.5, metrics.get("critic/reward_baselines/mean"));
  }

  @Test
  void rolls_keys_are_options_where_the_estimator_has_them() {
    Option<Double> gamma = Option.number("step_reward_gamma", "γ").withDefault(1.0);
    AlgorithmConfig config = new Settings().config();
    assertEquals(.95, EstimatorSettings.options(config, PLAIN.withOptions(gamma)).get(gamma));
    EstimatorSettings.check(config, ones(PLAIN), Set.of());
  }

  @Test
  void wrong_options_and_missing_columns_are_refused() {
    UserException values =
        assertThrows(
            UserException.class,
            () ->
                EstimatorSettings.check(
                    new Settings().config(), ones(PLAIN.withNeeds(Batch.VALUES)), Set.of()));
    assertEquals(
        "adv_estimator: 'test' needs values, which nothing in this run computes"
            + " (critic.enable: true gives values)",
        values.getMessage());
    AlgorithmConfig config = new Settings().args(Map.of("multi_turm", "skip")).config();
    Option<String> option = Option.text("multi_turn", "").withDefault("skip");
    UserException unknown =
        assertThrows(
            UserException.class,
            () -> EstimatorSettings.check(config, ones(PLAIN.withOptions(option)), Set.of()));
    assertEquals(
        "adv_estimator_args: unknown key 'multi_turm' (allowed: multi_turn); did you mean"
            + " 'multi_turn'?",
        unknown.getMessage());
  }

  @Test
  void numbers_labels_in_order_of_appearance() {
    assertArrayEquals(new int[] {0, 1, 0, 2}, RewardShaping.numbers(List.of("b", "a", "b", "c")));
  }

  private static double[] advantages(EstimatorInfo info, Settings settings) {
    AdvantageEstimator first = estimator(info, rewards -> new double[] {0, 1, 0, 1, 0, 0, 0});
    Batch batch = batch(0, 0).withColumn(Batch.TOKEN_REWARDS, new double[7]);
    return new RewardShaping(settings.config(), new KlController(Settings.NO_KL), first)
        .advantages(batch, batch, new HashMap<>())
        .column(Batch.ADVANTAGES);
  }

  private static AdvantageEstimator ones(EstimatorInfo info) {
    return estimator(info, rewards -> rewards.spread(new double[] {1, 1}));
  }

  private static AdvantageEstimator estimator(
      EstimatorInfo info, Function<TokenRewards, double[]> formula) {
    return new AdvantageEstimator() {
      @Override
      public EstimatorInfo info() {
        return info;
      }

      @Override
      public Advantages estimate(TokenRewards rewards, Options options) {
        return Advantages.of(rewards.samples() == 0 ? new double[0] : formula.apply(rewards))
            .withPart("part", new double[] {4, 2});
      }
    };
  }

  private static Batch scores(double first, double second) {
    return Batch.of(OFFSETS, new int[7], TURNS)
        .withColumn(Batch.SCORES, new double[] {first, second})
        .withColumn(Batch.GROUP_IDS, List.of("g", "g"))
        .withColumn(Batch.TAGS, List.of("t", "t"));
  }

  private static Batch batch(double first, double second) {
    return scores(first, second).withColumn(Batch.RESPONSE_REWARDS, new double[] {first, second});
  }

  private static RewardShaping shaping(Settings settings) {
    return new RewardShaping(settings.config(), new KlController(Settings.NO_KL), ones(PLAIN));
  }

  /** The algorithm's settings of a test; all others are off. */
  private record Settings(
      Map<String, Object> args,
      RewardNormalization normalization,
      @Nullable Double rewardClip,
      @Nullable Boolean whiten,
      boolean byTag,
      @Nullable Double advantageClip,
      KlConfig kl) {
    static final KlConfig NO_KL = new KlConfig(false, "kl", 0, null, 10000);

    Settings() {
      this(Map.of(), RewardNormalization.IDENTITY, null, null, false, null, NO_KL);
    }

    Settings args(Map<String, Object> others) {
      return new Settings(others, normalization, rewardClip, whiten, byTag, advantageClip, kl);
    }

    Settings normalize(RewardNormalization how) {
      return new Settings(args, how, rewardClip, whiten, byTag, advantageClip, kl);
    }

    Settings clips(double reward, double advantage) {
      return new Settings(args, normalization, reward, whiten, byTag, advantage, kl);
    }

    Settings whiten(boolean always) {
      return new Settings(args, normalization, rewardClip, always, byTag, advantageClip, kl);
    }

    Settings whitenByTag() {
      return new Settings(args, normalization, rewardClip, true, true, advantageClip, kl);
    }

    Settings kl(KlConfig other) {
      return new Settings(args, normalization, rewardClip, whiten, byTag, advantageClip, other);
    }

    AlgorithmConfig config() {
      LossSettings loss =
          new LossSettings(
              "ppo",
              .2,
              .2,
              null,
              0,
              0,
              LossSettings.Aggregation.TOKEN_MEAN,
              LossSettings.RatioType.TOKEN);
      return new AlgorithmConfig(
          new EstimatorConfig("test", args, Map.of("step_reward_gamma", .95), 1, .95),
          1,
          BatchAdjustment.COPY,
          true,
          1,
          loss,
          new RewardShapingConfig(normalization, rewardClip, false),
          new AdvantageConfig(whiten, byTag, advantageClip),
          kl);
    }
  }
}
