package roll.estimator.gpg;

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
 * Group policy gradient (Chu et al. 2025): the outcome minus the mean of its group, scaled up by
 * how few outcomes of the batch are not 0. The mean of a group of one counts as 0.
 */
@Component(name = "roll.estimator.gpg")
@RollEstimator("gpg")
public final class GpgEstimator implements AdvantageEstimator {
  private static final Option<Double> NORM =
      Option.positive("f_norm", "divides every advantage").withDefault(1.0);

  @Override
  public EstimatorInfo info() {
    return EstimatorInfo.of(
            "outcome minus the mean of the group, scaled by the share of outcomes that are not 0",
            """
            α = B / max(1, number of s_j ≠ 0 in the batch of B)
            A_t = α · (s_i − μ) / f_norm (0 for μ in a group of one); s_i = Σ_t r_t\
            """,
            "Chu et al. 2025, GPG: A Simple and Strong Reinforcement Learning Baseline for Model"
                + " Reasoning, arXiv:2504.02546")
        .withOptions(NORM);
  }

  @Override
  public Advantages estimate(TokenRewards rewards, Options options) {
    double norm = options.get(NORM);
    double[] outcomes = rewards.outcomes();
    GroupMoments group = GroupMoments.of(outcomes, rewards.groups());
    long useful = Arrays.stream(outcomes).filter(s -> s != 0).count();
    double alpha = (double) outcomes.length / Math.max(1, useful);
    double[] advantages = new double[outcomes.length];
    Arrays.setAll(
        advantages, i -> alpha * (outcomes[i] - (group.count(i) > 1 ? group.mean(i) : 0)) / norm);
    return Advantages.of(rewards.spread(advantages));
  }
}
