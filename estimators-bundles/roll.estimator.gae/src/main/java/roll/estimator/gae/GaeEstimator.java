package roll.estimator.gae;

import org.osgi.service.component.annotations.Component;
import roll.api.data.Batch;
import roll.api.estimator.AdvantageEstimator;
import roll.api.estimator.Advantages;
import roll.api.estimator.EstimatorInfo;
import roll.api.estimator.RollEstimator;
import roll.api.estimator.TokenRewards;
import roll.api.option.Options;

/**
 * Generalized advantage estimation (Schulman et al. 2015): the advantage of a token is the decayed
 * sum of the following temporal-difference errors, over policy tokens.
 */
@Component(name = "roll.estimator.gae")
@RollEstimator("gae")
public final class GaeEstimator implements AdvantageEstimator {
  @Override
  public EstimatorInfo info() {
    return EstimatorInfo.of(
            "decayed sum of temporal-difference errors",
            """
            δ_t = r_t + γ · V_{t+1} − V_t
            A_t = δ_t + γ · λ · A_{t+1}
            returns_t = A_t + V_t
            over policy tokens; behind the last one V and A are 0\
            """,
            "Schulman et al. 2015, High-Dimensional Continuous Control Using Generalized"
                + " Advantage Estimation, arXiv:1506.02438")
        .reading(EstimatorInfo.GAMMA, EstimatorInfo.LAMBDA)
        .whitened()
        .withNeeds(Batch.VALUES)
        .withExample(
            TokenRewards.of(
                    new double[][] {{0, 0, 1}, {0, 0, 0}}, new int[][] {{1, 1, 1}, {1, 1, 0}})
                .withColumn(Batch.VALUES, .2, .4, .6, .1, .3, .2));
  }

  @Override
  public Advantages estimate(TokenRewards rewards, Options options) {
    double[] values = rewards.column(Batch.VALUES);
    double[] advantages = new double[values.length];
    double[] returns = new double[values.length];
    for (int i = 0; i < rewards.samples(); i++) {
      double nextValue = 0;
      double next = 0;
      for (int t : rewards.layout().policyTokensBackwards(i)) {
        double delta = rewards.rewards()[t] + rewards.gamma() * nextValue - values[t];
        next = delta + rewards.gamma() * rewards.lambda() * next;
        nextValue = values[t];
        advantages[t] = next;
        returns[t] = next + values[t];
      }
    }
    return new Advantages(advantages, returns);
  }
}
