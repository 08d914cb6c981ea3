package roll.estimator.rloo;

import org.osgi.service.component.annotations.Component;
import roll.api.estimator.AdvantageEstimator;
import roll.api.estimator.Advantages;
import roll.api.estimator.EstimatorInfo;
import roll.api.estimator.RollEstimator;
import roll.api.estimator.TokenRewards;
import roll.api.option.Options;

/** {@link RlooEstimator}, but a response without others has advantage 0: verl's second version. */
@Component(name = "roll.estimator.rloo.vectorized")
@RollEstimator("rloo_vectorized")
public final class RlooVectorizedEstimator implements AdvantageEstimator {
  @Override
  public EstimatorInfo info() {
    return EstimatorInfo.of(
        "rloo, but 0 in a group of one",
        """
        A_t = (s_i − μ) · n / (n − 1)
        A_t = 0 in a group of one; s_i = Σ_t r_t\
        """,
        "Ahmadian et al. 2024, Back to Basics: Revisiting REINFORCE Style Optimization,"
            + " arXiv:2402.14740");
  }

  @Override
  public Advantages estimate(TokenRewards rewards, Options options) {
    double[] nothing = new double[rewards.samples()];
    return Advantages.of(
        rewards.spread(RlooEstimator.lessTheOthers(rewards.outcomes(), rewards.groups(), nothing)));
  }
}
