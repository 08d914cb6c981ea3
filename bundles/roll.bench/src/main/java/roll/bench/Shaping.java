package roll.bench;

import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import roll.api.config.Options;
import roll.api.config.RewardNormalization;
import roll.api.config.RewardNormalization.Scope;
import roll.api.data.Batch;
import roll.api.data.RandomStreams;
import roll.api.estimator.AdvantageEstimator;
import roll.api.estimator.KlPenalty;
import roll.api.estimator.RewardNormalizer;
import roll.api.estimator.TokenRewards;
import roll.api.estimator.Whitening;

/**
 * The arithmetic between rollout and training, on one thread: rewards normalised by group and put
 * on tokens, the KL penalty, advantages, whitening.
 */
final class Shaping {
  private static final int GROUP = 8;
  private static final int TURN = 256;
  private static final int OBSERVATION = 64;
  private static final Set<String> OF_SAMPLES = Set.of(Batch.REWARD_BASELINES);
  private static final RewardNormalization MEAN_STD =
      new RewardNormalization(Batch.GROUP_IDS, Scope.GROUP, Scope.GROUP, false);

  private final TokenRewards empty;
  private final double[] scores;
  private final double[] old;
  private final double[] reference;
  private final double[] states;

  /** {@code samples} trajectories of {@code tokens} tokens in groups of 8, turns of 256 tokens. */
  Shaping(int samples, int tokens) {
    RandomGenerator random = RandomStreams.of(42, "roll.bench/shaping");
    int[] offsets = new int[samples + 1];
    int[] turns = new int[samples * tokens];
    boolean[] mask = new boolean[turns.length];
    int[] groups = new int[samples];
    for (int i = 0; i < samples; i++) {
      offsets[i + 1] = offsets[i] + tokens;
      groups[i] = i / GROUP;
    }
    for (int t = 0; t < turns.length; t++) {
      mask[t] = t % TURN >= OBSERVATION;
      turns[t] = mask[t] ? t % tokens / TURN : -1;
    }
    scores = random.doubles(samples).toArray();
    old = random.doubles(turns.length).toArray();
    reference = random.doubles(turns.length).toArray();
    states = new double[turns.length];
    Arrays.setAll(states, t -> t / TURN % 4);
    empty =
        new TokenRewards(
            offsets,
            new double[0],
            turns,
            mask,
            groups,
            1,
            0.95,
            RewardNormalization.IDENTITY,
            Map.of());
  }

  /**
   * Best time of each part.
   *
   * @param rewards normalising and putting on tokens, with the KL penalty
   * @param advantages the estimator
   * @param whitening of the advantages
   */
  record Times(double rewards, double advantages, double whitening) {
    double total() {
      return rewards + advantages + whitening;
    }
  }

  /** The best of {@code repetitions}. */
  Times measure(AdvantageEstimator estimator, int repetitions) {
    TokenRewards plain = empty;
    for (String need : estimator.info().needs()) {
      plain = plain.withColumn(need, OF_SAMPLES.contains(need) ? scores : states);
    }
    Options options = Options.of("bench", Map.of(), estimator.info().options());
    double[] best = {Double.MAX_VALUE, Double.MAX_VALUE, Double.MAX_VALUE};
    for (int n = 0; n < repetitions; n++) {
      long start = System.nanoTime();
      double[] rewards = rewards();
      long rewarded = System.nanoTime();
      TokenRewards batch = plain.withRewards(rewards);
      double[] advantages = estimator.estimate(batch, options).advantages();
      long estimated = System.nanoTime();
      Whitening.whiten(advantages, empty.mask());
      long whitened = System.nanoTime();
      best[0] = Math.min(best[0], (rewarded - start) * 1e-9);
      best[1] = Math.min(best[1], (estimated - rewarded) * 1e-9);
      best[2] = Math.min(best[2], (whitened - estimated) * 1e-9);
    }
    return new Times(best[0], best[1], best[2]);
  }

  private double[] rewards() {
    double[] outcomes = RewardNormalizer.normalize(scores, empty.groups(), MEAN_STD);
    double[] rewards = TokenRewards.onLastTokens(empty.offsets(), empty.mask(), outcomes);
    for (int t = 0; t < rewards.length; t++) {
      rewards[t] -= empty.mask()[t] ? 0.1 * KlPenalty.K3.of(old[t] - reference[t]) : 0;
    }
    return rewards;
  }
}
