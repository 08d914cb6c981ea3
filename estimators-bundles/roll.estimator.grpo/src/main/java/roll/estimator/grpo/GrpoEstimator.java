package roll.estimator.grpo;

import org.osgi.service.component.annotations.Component;
import roll.api.estimator.AdvantageEstimator;
import roll.api.estimator.Advantages;
import roll.api.estimator.RollEstimator;
import roll.api.estimator.TokenRewards;

/**
 * GRPO with outcome supervision (Shao et al. 2024, DeepSeekMath, §4.1.2): every token of a response
 * has the outcome of the whole response as its advantage,
 *
 * <pre>  A_t = returns_t = γ^n · Σ_s r_s,</pre>
 *
 * where {@code n} tokens of the policy follow {@code t}; in the paper γ is 1. That the outcome is
 * relative to its group is not done here but before, by {@code reward_normalization} with {@code
 * grouping: traj_group_id, method: mean_std}, as in ROLL.
 */
@Component(name = "roll.estimator.grpo")
@RollEstimator("grpo")
public final class GrpoEstimator implements AdvantageEstimator {
  @Override
  public Advantages estimate(TokenRewards rewards) {
    double[] advantages = new double[rewards.mask().length];
    for (int i = 0; i < rewards.samples(); i++) {
      double advantage = outcome(rewards, i);
      for (int t = rewards.offsets()[i + 1] - 1; t >= rewards.offsets()[i]; t--) {
        if (rewards.mask()[t]) {
          advantages[t] = advantage;
          advantage *= rewards.gamma();
        }
      }
    }
    return new Advantages(advantages, advantages.clone());
  }

  private static double outcome(TokenRewards rewards, int sample) {
    double sum = 0;
    for (int t = rewards.offsets()[sample]; t < rewards.offsets()[sample + 1]; t++) {
      sum += rewards.mask()[t] ? rewards.rewards()[t] : 0;
    }
    return sum;
  }
}
