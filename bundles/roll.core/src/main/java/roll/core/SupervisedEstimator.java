package roll.core;

import roll.api.estimator.AdvantageEstimator;
import roll.api.estimator.Advantages;
import roll.api.estimator.EstimatorInfo;
import roll.api.estimator.TokenRewards;
import roll.api.option.Options;
import roll.api.plugin.Lease;

/** An estimator that can do a step no harm but to end it with one line. */
record SupervisedEstimator(AdvantageEstimator estimator, Supervised supervised)
    implements AdvantageEstimator {
  /** The leased one, which the configuration calls {@code name}. */
  static SupervisedEstimator of(Lease<AdvantageEstimator> lease, String name) {
    return new SupervisedEstimator(
        lease.service(), Supervised.of("adv_estimator", name, lease.bundle()));
  }

  @Override
  public EstimatorInfo info() {
    return supervised.call("info", estimator::info);
  }

  @Override
  public Advantages estimate(TokenRewards rewards, Options options) {
    Advantages given = supervised.call("estimate", () -> estimator.estimate(rewards, options));
    int cells = rewards.rewards().length;
    supervised.cells("estimate", "advantages", given.advantages(), cells);
    supervised.cells("estimate", "returns", given.returns(), cells);
    return given;
  }
}
