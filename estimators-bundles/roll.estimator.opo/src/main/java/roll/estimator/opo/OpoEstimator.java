package roll.estimator.opo;

import java.util.Arrays;
import org.osgi.service.component.annotations.Component;
import roll.api.estimator.AdvantageEstimator;
import roll.api.estimator.Advantages;
import roll.api.estimator.EstimatorInfo;
import roll.api.estimator.RollEstimator;
import roll.api.estimator.TokenRewards;
import roll.api.option.Options;

/**
 * On-policy RL with the optimal reward baseline (Hao et al. 2025): the outcome minus the mean of
 * its group in which each response counts as often as it has tokens. In a group of one the baseline
 * is 0.
 */
@Component(name = "roll.estimator.opo")
@RollEstimator("opo")
public final class OpoEstimator implements AdvantageEstimator {
  @Override
  public EstimatorInfo info() {
    return EstimatorInfo.of(
        "outcome minus the mean of the group weighted by length",
        """
        b = Σ_j l_j · s_j / Σ_j l_j over the group, l_j its policy tokens; 0 in a group of one
        A_t = s_i − b; s_i = Σ_t r_t\
        """,
        "Hao et al. 2025, On-Policy RL with Optimal Reward Baseline, arXiv:2505.23585");
  }

  @Override
  public Advantages estimate(TokenRewards rewards, Options options) {
    double[] outcomes = rewards.outcomes();
    int[] lengths = rewards.layout().countBySample();
    int[] groups = rewards.groups();
    int size = Arrays.stream(groups).max().orElse(-1) + 1;
    double[] sums = new double[size];
    long[] tokens = new long[size];
    int[] members = new int[size];
    for (int i = 0; i < outcomes.length; i++) {
      sums[groups[i]] += lengths[i] * outcomes[i];
      tokens[groups[i]] += lengths[i];
      members[groups[i]]++;
    }
    double[] advantages = new double[outcomes.length];
    for (int i = 0; i < advantages.length; i++) {
      int g = groups[i];
      advantages[i] = outcomes[i] - (members[g] > 1 ? sums[g] / Math.max(1, tokens[g]) : 0);
    }
    return Advantages.of(rewards.spread(advantages));
  }
}
