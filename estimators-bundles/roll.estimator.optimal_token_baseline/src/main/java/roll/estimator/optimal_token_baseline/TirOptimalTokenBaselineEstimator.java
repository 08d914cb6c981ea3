package roll.estimator.optimal_token_baseline;

import org.osgi.service.component.annotations.Component;
import roll.api.estimator.AdvantageEstimator;
import roll.api.estimator.Advantages;
import roll.api.estimator.EstimatorInfo;
import roll.api.estimator.RollEstimator;
import roll.api.estimator.TokenRewards;
import roll.api.option.Options;

/**
 * {@link OptimalTokenBaselineEstimator} whose baseline is 0 where only one response of the group is
 * that long: verl's variant for responses with tools in them.
 */
@Component(name = "roll.estimator.optimal_token_baseline.tir")
@RollEstimator("tir_optimal_token_baseline")
public final class TirOptimalTokenBaselineEstimator implements AdvantageEstimator {
  private static final EstimatorInfo OTHER = new OptimalTokenBaselineEstimator().info();

  @Override
  public EstimatorInfo info() {
    return EstimatorInfo.of(
            "optimal_token_baseline without baseline where only one response is that long",
            OTHER.formula() + "\nA_t = G_t where no other response of the group has a token t",
            "verl, tir_optimal_token_baseline")
        .withNeeds(OTHER.needs().toArray(roll.api.data.ColumnKey<?>[]::new))
        .withExample(OTHER.example());
  }

  @Override
  public Advantages estimate(TokenRewards rewards, Options options) {
    double[] returns = rewards.rewardsToGo(1);
    double[] advantages = new TokenBaselines(rewards, returns).advantages(2);
    return new Advantages(advantages, returns);
  }
}
