package roll.estimator.optimal_token_baseline;

import java.util.Arrays;
import roll.api.data.Batch;
import roll.api.estimator.TokenRewards;

/** For each group and each number of a policy token: the weighted mean return of its responses. */
final class TokenBaselines {
  private static final double EPSILON = 1e-8;

  private final TokenRewards rewards;
  private final double[] returns;
  private final int[] members;
  private final int[] starts;
  private final double[] sums;
  private final double[] weights;
  private final int[] counts;

  /** Creates the baselines for {@code returns}, one per token. */
  TokenBaselines(TokenRewards rewards, double[] returns) {
    this.rewards = rewards;
    this.returns = returns;
    int groups = Arrays.stream(rewards.groups()).max().orElse(-1) + 1;
    int[] lengths = rewards.layout().countBySample();
    int[] longest = new int[groups];
    members = new int[groups];
    for (int i = 0; i < rewards.samples(); i++) {
      int g = rewards.groups()[i];
      longest[g] = Math.max(longest[g], lengths[i]);
      members[g]++;
    }
    starts = new int[groups + 1];
    for (int g = 0; g < groups; g++) {
      starts[g + 1] = starts[g] + longest[g];
    }
    sums = new double[starts[groups]];
    weights = new double[sums.length];
    counts = new int[sums.length];
    for (int i = 0; i < rewards.samples(); i++) {
      add(i);
    }
  }

  private void add(int sample) {
    double[] logProbs = rewards.column(Batch.OLD_LOG_PROBS);
    double[] squares = rewards.column(Batch.SUM_PI_SQUARED);
    int place = starts[rewards.groups()[sample]];
    double weight = 0;
    for (int t : rewards.layout().policyTokens(sample)) {
      weight += 1 - 2 * Math.exp(logProbs[t]) + squares[t];
      sums[place] += returns[t] * weight;
      weights[place] += weight;
      counts[place]++;
      place++;
    }
  }

  /**
   * Returns less their baseline, where at least {@code least} responses of the group are that long.
   */
  double[] advantages(int least) {
    double[] baselines = new double[sums.length];
    for (int place = 0; place < sums.length; place++) {
      baselines[place] = counts[place] < least ? 0 : sums[place] / (weights[place] + EPSILON);
    }
    double[] advantages = new double[returns.length];
    for (int i = 0; i < rewards.samples(); i++) {
      int g = rewards.groups()[i];
      int place = starts[g];
      for (int t : rewards.layout().policyTokens(i)) {
        advantages[t] = returns[t] - (members[g] > 1 ? baselines[place] : 0);
        place++;
      }
    }
    return advantages;
  }
}
