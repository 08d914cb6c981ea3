package roll.estimator.reinforce_plus_plus_baseline;

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
 * REINFORCE++ with a group baseline (Hu 2025): the outcome minus the mean of its group on every
 * token, whitened over all tokens of the batch. The mean of a group of one counts as 0.
 */
@Component(name = "roll.estimator.reinforce_plus_plus_baseline")
@RollEstimator({"reinforce_plus_plus_baseline", "reinforce++_baseline", "reinforce_baseline"})
public final class ReinforcePlusPlusBaselineEstimator implements AdvantageEstimator {
  @Override
  public EstimatorInfo info() {
    return EstimatorInfo.of(
            "outcome minus the mean of the group, whitened over the batch",
            "A_t = s_i − μ (0 for μ in a group of one), then whitened; s_i = Σ_t r_t",
            "Hu 2025, REINFORCE++: A Simple and Efficient Approach for Aligning Large Language"
                + " Models, arXiv:2501.03262")
        .whitened();
  }

  @Override
  public Advantages estimate(TokenRewards rewards, Options options) {
    double[] outcomes = rewards.outcomes();
    GroupMoments group = GroupMoments.of(outcomes, rewards.groups());
    double[] centred = new double[outcomes.length];
    Arrays.setAll(centred, i -> outcomes[i] - (group.count(i) > 1 ? group.mean(i) : 0));
    return Advantages.of(rewards.spread(centred));
  }
}
