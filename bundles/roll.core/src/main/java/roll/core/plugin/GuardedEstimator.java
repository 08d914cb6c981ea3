package roll.core.plugin;

import roll.api.estimator.AdvantageEstimator;
import roll.api.estimator.Advantages;
import roll.api.estimator.EstimatorInfo;
import roll.api.estimator.TokenRewards;
import roll.api.option.Options;
import roll.api.plugin.Lease;

/** An advantage estimator whose failures end the step with a one-line message. */
public record GuardedEstimator(AdvantageEstimator estimator, PluginGuard guard)
    implements AdvantageEstimator {
  /** Wraps the leased estimator, named {@code name} in the configuration. */
  public static GuardedEstimator of(Lease<AdvantageEstimator> lease, String name) {
    return new GuardedEstimator(
        lease.service(), PluginGuard.of("adv_estimator", name, lease.bundle()));
  }

  @Override
  public EstimatorInfo info() {
    return guard.call("info", estimator::info);
  }

  @Override
  public Advantages estimate(TokenRewards rewards, Options options) {
    Advantages given = guard.call("estimate", () -> estimator.estimate(rewards, options));
    int length = rewards.rewards().length;
    guard.requireLength("estimate", "advantages", given.advantages(), length);
    guard.requireLength("estimate", "returns", given.returns(), length);
    return given;
  }
}
