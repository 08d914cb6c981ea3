package roll.estimator.optimal_token_baseline;

import org.osgi.service.component.annotations.Component;
import roll.api.data.Batch;
import roll.api.estimator.AdvantageEstimator;
import roll.api.estimator.Advantages;
import roll.api.estimator.EstimatorInfo;
import roll.api.estimator.RollEstimator;
import roll.api.estimator.TokenRewards;
import roll.api.option.Options;

/**
 * The optimal token baseline of verl: the reward to go minus the mean of the group at the same
 * policy token, in which each response counts by the size of its gradient up to there.
 */
@Component(name = "roll.estimator.optimal_token_baseline")
@RollEstimator("optimal_token_baseline")
public final class OptimalTokenBaselineEstimator implements AdvantageEstimator {
  @Override
  public EstimatorInfo info() {
    return EstimatorInfo.of(
            "reward to go minus the group's mean at the same token, weighted by gradient size",
            """
            G_t = Σ_{s ≥ t} r_s;  W_t = Σ_{s ≤ t} (1 − 2 · π_s + Σ_v π_s(v)²)
            A_t = G_t − Σ_j G_t · W_t / (Σ_j W_t + 1e-8) over the group, t counting policy tokens
            A_t = G_t in a group of one\
            """,
            "verl, optimal_token_baseline")
        .withNeeds(Batch.OLD_LOG_PROBS, Batch.SUM_PI_SQUARED)
        .withExample(
            TokenRewards.of(
                    new double[][] {{0, 0, 1}, {0, 0, 0, .4}},
                    new int[][] {{1, 1, 1}, {1, 1, 1, 1}})
                .withColumn(Batch.OLD_LOG_PROBS, -.5, -1, -.2, -.1, -2, -.7, -.3)
                .withColumn(Batch.SUM_PI_SQUARED, .5, .3, .8, .9, .2, .4, .6));
  }

  @Override
  public Advantages estimate(TokenRewards rewards, Options options) {
    double[] returns = rewards.rewardsToGo(1);
    double[] advantages = new TokenBaselines(rewards, returns).advantages(1);
    return new Advantages(advantages, returns);
  }
}
