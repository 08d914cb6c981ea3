package {{basePackageName}};

import java.util.Arrays;
import java.util.stream.IntStream;
import org.osgi.service.component.annotations.Component;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.estimator.AdvantageEstimator;
import roll.api.estimator.Advantages;
import roll.api.estimator.EstimatorInfo;
import roll.api.estimator.RollEstimator;
import roll.api.estimator.TokenRewards;

/** The outcome of a response minus the median outcome of its group. */
@Component(name = "{{projectName}}")
@RollEstimator("{{projectName}}")
public final class {{className}}Estimator implements AdvantageEstimator {
  private static final Option<Double> SCALE =
      Option.number("scale", 0, 1000, "factor of all advantages").withDefault(1.0);

  /** The description for {@code estimator show} and the pipeline. */
  @Override
  public EstimatorInfo info() {
    return EstimatorInfo.of(
            "outcome less the median of the group",
            "A_t = scale · (s_i − median of s_j over the group of i); s_i = Σ_t r_t",
            "where you have it from")
        .withOptions(SCALE);
  }

  /** Computes on arrays, not on tensors. */
  @Override
  public Advantages estimate(TokenRewards rewards, Options options) {
    double scale = options.get(SCALE);
    double[] outcomes = rewards.outcomes();
    int[] groups = rewards.groups();
    double[] advantages = new double[outcomes.length];
    Arrays.setAll(
        advantages, i -> scale * (outcomes[i] - median(outcomes, groups, groups[i])));
    return Advantages.of(rewards.spread(advantages));
  }

  private static double median(double[] outcomes, int[] groups, int group) {
    double[] members =
        IntStream.range(0, outcomes.length)
            .filter(i -> groups[i] == group)
            .mapToDouble(i -> outcomes[i])
            .sorted()
            .toArray();
    int middle = members.length / 2;
    return members.length % 2 == 1
        ? members[middle]
        : (members[middle - 1] + members[middle]) / 2;
  }
}
