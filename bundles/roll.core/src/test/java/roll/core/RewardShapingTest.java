package roll.core;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import roll.api.config.AlgorithmConfig;
import roll.api.config.BatchAdjustment;
import roll.api.config.KlConfig;
import roll.api.config.RewardNormalization;
import roll.api.config.RewardNormalization.Scope;
import roll.api.data.Batch;
import roll.api.estimator.Advantages;
import roll.api.loss.LossSettings;

class RewardShapingTest {
  private static final int[] OFFSETS = {0, 4, 7};
  private static final int[] TURNS = {-1, 0, -1, 1, -1, 0, 0};

  @Test
  void puts_the_reward_on_the_last_policy_token() {
    Batch batch = shaping(.0, null, null).spread(batch(2, -1), new HashMap<>());
    assertArrayEquals(new double[] {0, 0, 0, 2, 0, 0, -1}, batch.tokenColumn(Batch.TOKEN_REWARDS));
  }

  @Test
  void takes_the_kl_penalty_off_policy_tokens_only() {
    Map<String, Double> metrics = new HashMap<>();
    Batch scored =
        batch(1, 0)
            .withTokens(Batch.OLD_LOG_PROBS, new double[] {9, -.5, 9, -.4, 9, -1, -.7})
            .withTokens(Batch.REFERENCE_LOG_PROBS, new double[] {0, -.7, 0, -.3, 0, -1.1, -1});
    Batch batch = shaping(.2, null, null).spread(scored, metrics);
    assertArrayEquals(
        new double[] {0, -.04, 0, 1.02, 0, -.02, -.06},
        batch.tokenColumn(Batch.TOKEN_REWARDS),
        1e-12);
    assertEquals((.05 + .2) / 2, metrics.get("critic/kl"), 1e-12);
    assertEquals(.2, metrics.get("critic/kl_coef"), 1e-12);
  }

  @Test
  void clips_rewards_and_advantages_and_counts() {
    Map<String, Double> metrics = new HashMap<>();
    RewardShaping shaping = shaping(0, .5, .2);
    Batch batch = shaping.normalize(scores(2, -.1), metrics);
    assertArrayEquals(new double[] {.5, -.1}, batch.sampleColumn(Batch.RESPONSE_REWARDS), 1e-12);
    assertEquals(.5, metrics.get("critic/reward_clip_frac"), 1e-12);

    Batch ready =
        shaping.advantages(
            shaping.spread(batch, metrics),
            rewards -> new Advantages(new double[] {7, 1, 7, -1, 7, .1, 0}, new double[7]),
            metrics);
    assertArrayEquals(
        new double[] {0, .2, 0, -.2, 0, .1, 0}, ready.tokenColumn(Batch.ADVANTAGES), 1e-12);
    assertEquals(.5, metrics.get("critic/advantage_clip_frac"), 1e-12);
  }

  @Test
  void numbers_groups_in_order_of_appearance() {
    assertArrayEquals(
        new int[] {0, 1, 0, 2}, RewardShaping.groupNumbers(List.of("b", "a", "b", "c")));
  }

  private static Batch scores(double first, double second) {
    return Batch.of(OFFSETS, new int[7], TURNS)
        .withSamples(Batch.SCORES, new double[] {first, second})
        .withLabels(Batch.GROUP_IDS, List.of("g", "g"));
  }

  private static Batch batch(double first, double second) {
    return scores(first, second).withSamples(Batch.RESPONSE_REWARDS, new double[] {first, second});
  }

  private static RewardShaping shaping(
      double kl, @Nullable Double rewardClip, @Nullable Double advantageClip) {
    KlConfig klConfig = new KlConfig(kl > 0, "kl", kl, null, 10000);
    AlgorithmConfig config =
        new AlgorithmConfig(
            "reinforce",
            1,
            .95,
            1,
            BatchAdjustment.COPY,
            true,
            1,
            new LossSettings(
                "ppo",
                .2,
                .2,
                null,
                0,
                0,
                LossSettings.Aggregation.TOKEN_MEAN,
                LossSettings.RatioType.TOKEN),
            new RewardNormalization("batch", Scope.NONE, Scope.NONE),
            rewardClip,
            false,
            false,
            advantageClip,
            klConfig);
    return new RewardShaping(config, new KlController(klConfig));
  }
}
