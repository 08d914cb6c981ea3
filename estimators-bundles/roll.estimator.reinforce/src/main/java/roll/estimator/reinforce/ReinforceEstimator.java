package roll.estimator.reinforce;

import org.osgi.service.component.annotations.Component;
import roll.api.estimator.AdvantageEstimator;
import roll.api.estimator.Advantages;
import roll.api.estimator.EstimatorInfo;
import roll.api.estimator.RollEstimator;
import roll.api.estimator.TokenRewards;
import roll.api.option.Options;

/**
 * REINFORCE (Williams 1992): the advantage of a token is the discounted reward from there on, over
 * policy tokens. There is no baseline; {@code reward_normalization} and {@code whiten_advantages}
 * give one.
 */
@Component(name = "roll.estimator.reinforce")
@RollEstimator("reinforce")
public final class ReinforceEstimator implements AdvantageEstimator {
  @Override
  public EstimatorInfo info() {
    return EstimatorInfo.of(
            "reward to go",
            "A_t = returns_t = r_t + γ · A_{t+1} over policy tokens",
            "Williams 1992, Simple Statistical Gradient-Following Algorithms for Connectionist"
                + " Reinforcement Learning")
        .reading(EstimatorInfo.GAMMA);
  }

  @Override
  public Advantages estimate(TokenRewards rewards, Options options) {
    return Advantages.of(rewards.rewardsToGo(rewards.gamma()));
  }
}
