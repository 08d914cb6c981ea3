package roll.estimator.reinforce;

import org.osgi.service.component.annotations.Component;
import roll.api.estimator.AdvantageEstimator;
import roll.api.estimator.Advantages;
import roll.api.estimator.RollEstimator;
import roll.api.estimator.TokenRewards;

/**
 * REINFORCE (Williams 1992): the advantage of a token is the discounted reward from there on,
 *
 * <pre>  A_t = returns_t = r_t + γ · A_{t+1},</pre>
 *
 * where {@code t + 1} is the next token that the policy wrote: what the environment wrote in
 * between is skipped and not discounted. There is no baseline; {@code reward_normalization} and
 * {@code whiten_advantages} give one.
 */
@Component(name = "roll.estimator.reinforce")
@RollEstimator("reinforce")
public final class ReinforceEstimator implements AdvantageEstimator {
  @Override
  public Advantages estimate(TokenRewards rewards) {
    double[] advantages = new double[rewards.mask().length];
    for (int i = 0; i < rewards.samples(); i++) {
      double next = 0;
      for (int t = rewards.offsets()[i + 1] - 1; t >= rewards.offsets()[i]; t--) {
        if (rewards.mask()[t]) {
          next = rewards.rewards()[t] + rewards.gamma() * next;
          advantages[t] = next;
        }
      }
    }
    return new Advantages(advantages, advantages.clone());
  }
}
