package roll.estimator.grpo_passk;

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
 * GRPO for pass@k (Tang et al. 2025): only the best response of a group has an advantage, by how
 * much it is better than the second best. Without a second one, or with an equal one, it is 0.
 */
@Component(name = "roll.estimator.grpo_passk")
@RollEstimator("grpo_passk")
public final class GrpoPasskEstimator implements AdvantageEstimator {
  private static final Option<Boolean> DIVIDE =
      Option.flag("norm_adv_by_std_in_grpo", "whether to divide by the deviation of the group")
          .withDefault(true);

  private static final double EPSILON = 1e-6;

  @Override
  public EstimatorInfo info() {
    return EstimatorInfo.of(
            "how much the best of the group exceeds the second best; 0 for the others",
            """
            A_t = (s_first − s_second) / (σ + 1e-6) for the best of the group, else 0
            σ: unbiased deviation of the group; s_i = Σ_t r_t\
            """,
            "Tang et al. 2025, Optimizing Language Models for Inference Time Objectives using"
                + " Reinforcement Learning, arXiv:2503.19595")
        .withOptions(DIVIDE);
  }

  @Override
  public Advantages estimate(TokenRewards rewards, Options options) {
    boolean divide = options.get(DIVIDE);
    double[] outcomes = rewards.outcomes();
    int[] groups = rewards.groups();
    int size = Arrays.stream(groups).max().orElse(-1) + 1;
    int[] best = new int[size];
    double[] second = new double[size];
    Arrays.fill(best, -1);
    Arrays.fill(second, Double.NEGATIVE_INFINITY);
    for (int i = 0; i < outcomes.length; i++) {
      int g = groups[i];
      if (best[g] < 0 || outcomes[i] > outcomes[best[g]]) {
        second[g] = best[g] < 0 ? second[g] : outcomes[best[g]];
        best[g] = i;
      } else {
        second[g] = Math.max(second[g], outcomes[i]);
      }
    }
    GroupMoments group = GroupMoments.of(outcomes, groups);
    double[] advantages = new double[outcomes.length];
    for (int i : best) {
      if (i >= 0 && group.count(i) > 1) {
        advantages[i] = (outcomes[i] - second[groups[i]]) / (divide ? group.std(i) + EPSILON : 1);
      }
    }
    return Advantages.of(rewards.spread(advantages));
  }
}
