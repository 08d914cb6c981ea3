package roll.estimator.rloo;

import java.util.Arrays;
import org.osgi.service.component.annotations.Component;
import roll.api.estimator.AdvantageEstimator;
import roll.api.estimator.Advantages;
import roll.api.estimator.EstimatorInfo;
import roll.api.estimator.RollEstimator;
import roll.api.estimator.TokenRewards;
import roll.api.option.Options;
import roll.math.GroupMoments;

/**
 * REINFORCE leave-one-out (Kool et al. 2019, Ahmadian et al. 2024): the outcome of a response less
 * the mean outcome of the others in its group. A response without others keeps its outcome, as in
 * verl.
 */
@Component(name = "roll.estimator.rloo")
@RollEstimator("rloo")
public final class RlooEstimator implements AdvantageEstimator {
  @Override
  public EstimatorInfo info() {
    return EstimatorInfo.of(
        "outcome minus the mean of the others in the group",
        """
        A_t = s_i − mean of s_j over the others j of the group = (s_i − μ) · n / (n − 1)
        A_t = s_i in a group of one; s_i = Σ_t r_t\
        """,
        "Ahmadian et al. 2024, Back to Basics: Revisiting REINFORCE Style Optimization,"
            + " arXiv:2402.14740");
  }

  @Override
  public Advantages estimate(TokenRewards rewards, Options options) {
    double[] outcomes = rewards.outcomes();
    return Advantages.of(rewards.spread(lessTheOthers(outcomes, rewards.groups(), outcomes)));
  }

  /**
   * Returns each outcome minus the mean of the others; {@code alone} is the value in a group of
   * one.
   */
  static double[] lessTheOthers(double[] outcomes, int[] groups, double[] alone) {
    GroupMoments group = GroupMoments.of(outcomes, groups);
    double[] less = new double[outcomes.length];
    Arrays.setAll(
        less,
        i -> {
          int n = group.count(i);
          return n > 1 ? (outcomes[i] - group.mean(i)) * n / (n - 1) : alone[i];
        });
    return less;
  }
}
