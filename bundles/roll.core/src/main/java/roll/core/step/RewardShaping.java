package roll.core.step;

import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import roll.api.data.Batch;
import roll.api.data.ColumnKey;
import roll.api.data.Trajectory;
import roll.api.estimator.AdvantageEstimator;
import roll.api.estimator.Advantages;
import roll.api.estimator.EstimatorInfo;
import roll.api.estimator.KlPenalty;
import roll.api.estimator.RewardNormalization;
import roll.api.estimator.TokenRewards;
import roll.batching.TrajectoryBatch;
import roll.core.plugin.EstimatorSettings;
import roll.math.OutcomeRewards;
import roll.math.RewardNormalizer;
import roll.math.Whitening;
import roll.runtime.config.algorithm.AlgorithmConfig;
import roll.runtime.config.algorithm.KlConfig;

/**
 * From scores to advantages, one method per phase, in the order of ROLL's agentic pipeline. An
 * estimator of turns is given the environment's rewards as they came, each on the last token of its
 * turn, and normalizes them itself; every other one the normalized score on the last policy token.
 */
final class RewardShaping {
  private static final List<ColumnKey<int[]>> STEPS_OF_TRAJECTORIES =
      List.of(Batch.TRAJECTORIES, Batch.STEPS);

  private final AlgorithmConfig config;
  private final KlController controller;
  private final AdvantageEstimator estimator;
  private final EstimatorInfo info;

  RewardShaping(AlgorithmConfig config, KlController controller, AdvantageEstimator estimator) {
    this.config = config;
    this.controller = controller;
    this.estimator = estimator;
    this.info = estimator.info();
  }

  /** Whether the estimator reads the column {@code key}. */
  boolean needs(ColumnKey<?> key) {
    return info.needs().contains(key);
  }

  private boolean byTurn() {
    return needs(Batch.TURN_REWARDS);
  }

  /** Creates the batch of {@code trajectories}, with its turns where the estimator reads them. */
  Batch batch(List<Trajectory> trajectories) {
    Batch batch = TrajectoryBatch.of(trajectories);
    return byTurn() ? TrajectoryBatch.withTurns(batch, trajectories) : batch;
  }

  /** Returns {@code batch} with the score of the greedy trajectory of each sample's group. */
  Batch withBaselines(Batch batch, List<Trajectory> greedy, Map<String, Double> metrics) {
    Map<String, Double> scores = new LinkedHashMap<>();
    greedy.forEach(trajectory -> scores.put(trajectory.groupId(), trajectory.score()));
    double[] baselines =
        batch.column(Batch.GROUP_IDS).stream()
            .mapToDouble(group -> Objects.requireNonNull(scores.get(group), group))
            .toArray();
    metrics.put("critic/reward_baselines/mean", Arrays.stream(baselines).average().orElse(0));
    return batch.withColumn(Batch.REWARD_BASELINES, baselines);
  }

  /** Normalizes and clips the score of each sample. */
  Batch normalize(Batch batch, Map<String, Double> metrics) {
    double[] rewards = batch.column(Batch.SCORES).clone();
    if (!byTurn()) {
      rewards =
          RewardNormalizer.normalize(rewards, grouping(batch), config.rewards().normalization());
    }
    if (config.rewards().clip() != null) {
      boolean[] all = new boolean[rewards.length];
      Arrays.fill(all, true);
      metrics.put(
          "critic/reward_clip_frac", MaskedStatistics.clip(rewards, all, config.rewards().clip()));
    }
    return batch.withColumn(Batch.RESPONSE_REWARDS, rewards);
  }

  /** Adds each reward to its token and subtracts the KL penalty from every token. */
  Batch spread(Batch batch, Map<String, Double> metrics) {
    double[] rewards =
        byTurn()
            ? batch.column(Batch.TURN_REWARDS).clone()
            : OutcomeRewards.onLastTokens(batch.layout(), batch.column(Batch.RESPONSE_REWARDS));
    penalize(batch, rewards, metrics);
    if (config.rewards().clip() != null) {
      metrics.put(
          "critic/token_reward_clip_frac",
          MaskedStatistics.clip(rewards, batch.layout().mask(), config.rewards().clip()));
    }
    return batch.withColumn(Batch.TOKEN_REWARDS, rewards);
  }

  private void penalize(Batch batch, double[] rewards, Map<String, Double> metrics) {
    double[] reference = batch.columnOrNull(Batch.REFERENCE_LOG_PROBS);
    double[] old = batch.columnOrNull(Batch.OLD_LOG_PROBS);
    if (reference == null || old == null) {
      return;
    }
    KlConfig kl = config.kl();
    double coefficient = kl.inReward() ? controller.coefficient() : 0;
    double mean =
        kl.full()
            ? KlPenalty.takeOff(
                rewards, coefficient, batch.column(Batch.DIVERGENCES), batch.layout())
            : KlPenalty.of("kl_penalty", kl.penalty())
                .takeOff(rewards, coefficient, old, reference, batch.layout());
    metrics.put("critic/kl", mean);
    metrics.put("critic/kl_coef", coefficient);
    if (kl.inReward()) {
      controller.update(mean, batch.samples());
    }
  }

  /**
   * Advantages and returns, whitened and clipped as configured; those of {@code batch} are
   * estimated, and those of the tokens that {@code kept} has left of it remain.
   */
  Batch advantages(Batch batch, Batch kept, Map<String, Double> metrics) {
    boolean[] mask = kept.layout().mask();
    double[] rewards = batch.column(Batch.TOKEN_REWARDS);
    if (config.rewards().whiten()) {
      rewards = rewards.clone();
      whiten(kept, rewards);
      kept = kept.withColumn(Batch.TOKEN_REWARDS, rewards);
    }
    Advantages found =
        estimator.estimate(tokenRewards(batch, rewards), EstimatorSettings.options(config, info));
    found.parts().forEach((name, x) -> DataMetrics.summary("critic/" + name, x, metrics));
    double[] advantages = found.advantages().clone();
    if (config.advantages().whiten() == null ? info.whitens() : config.advantages().whiten()) {
      whiten(kept, advantages);
    }
    MaskedStatistics.clear(advantages, mask);
    if (config.advantages().clip() != null) {
      metrics.put(
          "critic/advantage_clip_frac",
          MaskedStatistics.clip(advantages, mask, config.advantages().clip()));
    }
    return kept.withColumn(Batch.RAW_ADVANTAGES, found.advantages())
        .withColumn(Batch.ADVANTAGES, advantages)
        .withColumn(Batch.RETURNS, found.returns());
  }

  /** Whitens {@code x} over the batch, or over the samples of each environment. */
  private void whiten(Batch batch, double[] x) {
    boolean[] mask = batch.layout().mask();
    if (!config.advantages().byTag()) {
      Whitening.whiten(x, mask);
      return;
    }
    double[] given = x.clone();
    Arrays.fill(x, 0);
    List<String> tags = batch.column(Batch.TAGS);
    for (String tag : tags.stream().distinct().toList()) {
      boolean[] own = new boolean[mask.length];
      for (int sample = 0; sample < batch.samples(); sample++) {
        if (tags.get(sample).equals(tag)) {
          for (int t : batch.layout().policyTokens(sample)) {
            own[t] = true;
          }
        }
      }
      double[] whitened = given.clone();
      Whitening.whiten(whitened, own); // 0 outside
      Arrays.setAll(x, t -> x[t] + whitened[t]);
    }
  }

  private TokenRewards tokenRewards(Batch batch, double[] rewards) {
    RewardNormalization how = config.rewards().normalization();
    Set<ColumnKey<?>> keys = new HashSet<>(STEPS_OF_TRAJECTORIES);
    keys.addAll(info.needs());
    return new TokenRewards(
        batch.layout(),
        rewards,
        byTurn() && !how.isIdentity() ? grouping(batch) : numbers(batch.column(Batch.GROUP_IDS)),
        config.estimator().gamma(),
        config.estimator().lambda(),
        how,
        batch.columns().only(keys));
  }

  private int[] grouping(Batch batch) {
    String grouping = config.rewards().normalization().grouping();
    return grouping.equals("batch")
        ? new int[batch.samples()]
        : numbers(batch.column(ColumnKey.labels(grouping)));
  }

  /** Numbers labels in the order they first appear. */
  static int[] numbers(List<String> labels) {
    Map<String, Integer> numbers = new LinkedHashMap<>();
    return labels.stream()
        .mapToInt(label -> numbers.computeIfAbsent(label, key -> numbers.size()))
        .toArray();
  }
}
