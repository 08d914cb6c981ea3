package roll.estimator.grpo;

import org.osgi.service.component.annotations.Component;
import roll.api.estimator.AdvantageEstimator;
import roll.api.estimator.Advantages;
import roll.api.estimator.EstimatorInfo;
import roll.api.estimator.RollEstimator;
import roll.api.estimator.TokenRewards;
import roll.api.option.Option;
import roll.api.option.Options;

/**
 * {@link GrpoEstimator} whose deviation is never below 0.001: verl's second version. It differs
 * where the outcomes of a group are nearly equal.
 */
@Component(name = "roll.estimator.grpo.vectorized")
@RollEstimator("grpo_vectorized")
public final class GrpoVectorizedEstimator implements AdvantageEstimator {
  private static final double LEAST_VARIANCE = 1e-6;
  private static final EstimatorInfo GRPO = new GrpoEstimator().info();

  @Override
  public EstimatorInfo info() {
    return EstimatorInfo.of(
            "grpo with a deviation of at least 0.001",
            GRPO.formula() + "\nσ = √max(variance, 1e-6)",
            GRPO.paper())
        .reading(EstimatorInfo.GAMMA)
        .withOptions(GRPO.options().toArray(Option<?>[]::new));
  }

  @Override
  public Advantages estimate(TokenRewards rewards, Options options) {
    return GrpoEstimator.estimate(rewards, options, LEAST_VARIANCE);
  }
}
