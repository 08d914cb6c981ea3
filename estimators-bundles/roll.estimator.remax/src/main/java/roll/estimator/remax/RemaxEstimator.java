package roll.estimator.remax;

import org.osgi.service.component.annotations.Component;
import roll.api.data.Batch;
import roll.api.estimator.AdvantageEstimator;
import roll.api.estimator.Advantages;
import roll.api.estimator.EstimatorInfo;
import roll.api.estimator.RollEstimator;
import roll.api.estimator.TokenRewards;
import roll.api.option.Options;
import roll.api.option.UserException;

/**
 * ReMax (Li et al. 2023): the undiscounted reward to go minus the reward of the greedy policy on
 * the same prompt.
 */
@Component(name = "roll.estimator.remax")
@RollEstimator("remax")
public final class RemaxEstimator implements AdvantageEstimator {
  @Override
  public EstimatorInfo info() {
    return EstimatorInfo.of(
            "reward to go minus the reward of the greedy response",
            """
            returns_t = Σ_{s ≥ t} r_s
            A_t = returns_t − b_i, where b_i is the reward of the greedy response\
            """,
            "Li et al. 2023, ReMax: A Simple, Effective, and Efficient Reinforcement Learning"
                + " Method for Aligning Large Language Models, arXiv:2310.10505")
        .withNeeds(Batch.REWARD_BASELINES)
        .withExample(
            TokenRewards.of(
                    new double[][] {{0, .2, 0, 1}, {0, .5, 0, 0}},
                    new int[][] {{1, 1, 0, 1}, {1, 1, 0, 0}})
                .withColumn(Batch.REWARD_BASELINES, .4, .6));
  }

  @Override
  public Advantages estimate(TokenRewards rewards, Options options) {
    if (rewards.relative()) {
      throw new UserException(
          "reward_normalization.method: expected identity, since remax compares rewards with those"
              + " of the greedy policy, which are not normalized");
    }
    double[] returns = rewards.rewardsToGo(1);
    double[] advantages = rewards.spread(rewards.column(Batch.REWARD_BASELINES));
    for (int t = 0; t < advantages.length; t++) {
      advantages[t] = returns[t] - advantages[t];
    }
    return new Advantages(advantages, returns);
  }
}
