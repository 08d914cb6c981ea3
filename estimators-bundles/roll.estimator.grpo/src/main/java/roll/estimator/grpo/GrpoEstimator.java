package roll.estimator.grpo;

import java.util.Arrays;
import org.osgi.service.component.annotations.Component;
import roll.api.estimator.AdvantageEstimator;
import roll.api.estimator.Advantages;
import roll.api.estimator.EstimatorInfo;
import roll.api.estimator.RollEstimator;
import roll.api.estimator.TokenRewards;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.math.GroupMoments;

/**
 * GRPO with outcome supervision (Shao et al. 2024, DeepSeekMath, §4.1.2): every token of a response
 * has the outcome of the whole response, relative to its group, as its advantage. Where {@code
 * reward_normalization} made the rewards relative already, as in ROLL, that is not done again.
 */
@Component(name = "roll.estimator.grpo")
@RollEstimator("grpo")
public final class GrpoEstimator implements AdvantageEstimator {
  private static final Option<Boolean> DIVIDE =
      Option.flag("norm_adv_by_std_in_grpo", "whether to divide by σ; false is Dr. GRPO")
          .withDefault(true);
  private static final Option<Double> EPSILON =
      Option.number("epsilon", Double.MIN_NORMAL, 1, "ε, keeps σ + ε from 0").withDefault(1e-6);

  @Override
  public EstimatorInfo info() {
    return EstimatorInfo.of(
            "outcome relative to the group",
            """
            A_t = returns_t = γ^n · (s_i − μ) / (σ + ε), where n policy tokens follow t
            s_i = Σ_t r_t; μ, σ: mean and unbiased deviation of the group, 0 and 1 in a group of one
            A_t = γ^n · s_i where reward_normalization made the rewards relative\
            """,
            "Shao et al. 2024, DeepSeekMath, arXiv:2402.03300; without σ: Liu et al. 2025, Dr."
                + " GRPO, arXiv:2503.20783")
        .reading(EstimatorInfo.GAMMA)
        .withOptions(DIVIDE, EPSILON);
  }

  @Override
  public Advantages estimate(TokenRewards rewards, Options options) {
    return estimate(rewards, options, 0);
  }

  /** Advantages where no variance is taken for less than {@code leastVariance}. */
  static Advantages estimate(TokenRewards rewards, Options options, double leastVariance) {
    boolean divide = options.get(DIVIDE);
    double epsilon = options.get(EPSILON);
    double[] outcomes = rewards.outcomes();
    if (!rewards.relative()) {
      GroupMoments group = GroupMoments.of(outcomes, rewards.groups());
      Arrays.setAll(
          outcomes,
          i -> {
            boolean alone = group.count(i) == 1;
            double variance = alone ? 1 : Math.max(group.variance(i), leastVariance);
            double centred = outcomes[i] - (alone ? 0 : group.mean(i));
            return divide ? centred / (Math.sqrt(variance) + epsilon) : centred;
          });
    }
    return Advantages.of(discounted(rewards, outcomes));
  }

  private static double[] discounted(TokenRewards rewards, double[] outcomes) {
    double[] advantages = new double[rewards.layout().size()];
    for (int i = 0; i < outcomes.length; i++) {
      double advantage = outcomes[i];
      for (int t : rewards.layout().policyTokensBackwards(i)) {
        advantages[t] = advantage;
        advantage *= rewards.gamma();
      }
    }
    return advantages;
  }
}
