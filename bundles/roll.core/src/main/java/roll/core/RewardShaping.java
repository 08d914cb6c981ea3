package roll.core;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import roll.api.config.AlgorithmConfig;
import roll.api.config.KlConfig;
import roll.api.config.RewardNormalization;
import roll.api.data.Batch;
import roll.api.estimator.AdvantageEstimator;
import roll.api.estimator.Advantages;
import roll.api.estimator.TokenRewards;

/** From scores to advantages, one phase a method (reference/roll.md §2.2 steps 16 to 18). */
final class RewardShaping {
  private final AlgorithmConfig config;
  private final KlController controller;

  RewardShaping(AlgorithmConfig config, KlController controller) {
    this.config = config;
    this.controller = controller;
  }

  /** Normalises and clips the score of each sample. */
  Batch normalize(Batch batch, Map<String, Double> metrics) {
    RewardNormalization how = config.rewardNormalization();
    List<String> groups =
        how.grouping().equals("batch")
            ? Collections.nCopies(batch.samples(), "batch")
            : batch.labels(how.grouping());
    double[] rewards = RewardNormalizer.normalize(batch.sampleColumn(Batch.SCORES), groups, how);
    if (config.rewardClip() != null) {
      boolean[] all = new boolean[rewards.length];
      Arrays.fill(all, true);
      metrics.put("critic/reward_clip_frac", Masked.clip(rewards, all, config.rewardClip()));
    }
    return batch.withSamples(Batch.RESPONSE_REWARDS, rewards);
  }

  /**
   * Puts each sample's reward on its last policy token and takes the KL penalty off every token.
   */
  Batch spread(Batch batch, Map<String, Double> metrics) {
    int[] offsets = batch.offsets();
    boolean[] mask = batch.mask();
    double[] rewards = new double[batch.size()];
    double[] scores = batch.sampleColumn(Batch.RESPONSE_REWARDS);
    for (int i = 0; i < batch.samples(); i++) {
      int last = offsets[i + 1] - 1;
      while (last >= offsets[i] && !mask[last]) {
        last--;
      }
      if (last >= offsets[i]) {
        rewards[last] = scores[i];
      }
    }
    penalize(batch, rewards, metrics);
    if (config.rewardClip() != null) {
      metrics.put("critic/token_reward_clip_frac", Masked.clip(rewards, mask, config.rewardClip()));
    }
    return batch.withTokens(Batch.TOKEN_REWARDS, rewards);
  }

  private void penalize(Batch batch, double[] rewards, Map<String, Double> metrics) {
    double[] reference = batch.tokenColumnOrNull(Batch.REFERENCE_LOG_PROBS);
    double[] old = batch.tokenColumnOrNull(Batch.OLD_LOG_PROBS);
    if (reference == null || old == null) {
      return;
    }
    KlConfig kl = config.kl();
    boolean[] mask = batch.mask();
    double[] penalty = new double[batch.size()];
    for (int t = 0; t < penalty.length; t++) {
      penalty[t] = mask[t] ? Kl.penalty(kl.penalty(), old[t] - reference[t]) : 0;
    }
    double mean = Masked.meanOfMeans(penalty, mask, batch.offsets());
    metrics.put("critic/kl", mean);
    metrics.put("critic/kl_coef", kl.inReward() ? controller.coefficient() : 0);
    if (kl.inReward()) {
      for (int t = 0; t < rewards.length; t++) {
        rewards[t] -= controller.coefficient() * penalty[t];
      }
      controller.update(mean, batch.samples());
    }
  }

  /** Advantages and returns, whitened and clipped as configured. */
  Batch advantages(Batch batch, AdvantageEstimator estimator, Map<String, Double> metrics) {
    boolean[] mask = batch.mask();
    double[] rewards = batch.tokenColumn(Batch.TOKEN_REWARDS);
    if (config.whitenRewards()) {
      rewards = rewards.clone();
      Masked.whiten(rewards, mask);
      batch = batch.withTokens(Batch.TOKEN_REWARDS, rewards);
    }
    Advantages found =
        estimator.estimate(
            new TokenRewards(
                batch.offsets(),
                rewards,
                batch.turns(),
                mask,
                batch.tokenColumnOrNull(Batch.VALUES),
                groupNumbers(batch.labels(Batch.GROUP_IDS)),
                config.gamma(),
                config.lambda()));
    double[] advantages = found.advantages().clone();
    if (config.whitenAdvantages()) {
      Masked.whiten(advantages, mask);
    }
    Masked.clear(advantages, mask);
    if (config.advantageClip() != null) {
      metrics.put(
          "critic/advantage_clip_frac", Masked.clip(advantages, mask, config.advantageClip()));
    }
    return batch
        .withTokens(Batch.RAW_ADVANTAGES, found.advantages())
        .withTokens(Batch.ADVANTAGES, advantages)
        .withTokens(Batch.RETURNS, found.returns());
  }

  /** Numbers the groups in the order they first appear. */
  static int[] groupNumbers(List<String> groups) {
    List<String> distinct = groups.stream().distinct().toList();
    Map<String, Integer> numbers =
        IntStream.range(0, distinct.size())
            .boxed()
            .collect(java.util.stream.Collectors.toMap(distinct::get, i -> i));
    return groups.stream().mapToInt(group -> numbers.getOrDefault(group, -1)).toArray();
  }
}
