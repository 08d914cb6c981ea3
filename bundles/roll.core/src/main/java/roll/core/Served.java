package roll.core;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import roll.api.estimator.AdvantageEstimator;
import roll.api.loss.PolicyLoss;
import roll.api.plugin.Lease;
import roll.api.plugin.Plugins;
import roll.runtime.config.RunConfig;

/**
 * The plugins that serve one step and are given back after it.
 *
 * @param estimator of the advantages
 * @param loss of the policy
 * @param others what episodes are played with: they stay while the step goes on
 */
record Served(Lease<AdvantageEstimator> estimator, Lease<PolicyLoss> loss, List<Lease<?>> others)
    implements AutoCloseable {
  /**
   * What {@code run} names.
   *
   * @throws roll.api.option.UserException if something is not there
   */
  static Served of(RunConfig run, Plugins plugins) {
    List<Lease<?>> taken = new ArrayList<>();
    try {
      Lease<AdvantageEstimator> estimator = Need.estimator(run).lease(plugins);
      taken.add(estimator);
      Lease<PolicyLoss> loss = Need.loss(run).lease(plugins);
      taken.add(loss);
      List<Lease<?>> others = new ArrayList<>();
      for (Need<?> need : Need.rollouts(run, plugins)) {
        Lease<?> lease = need.lease(plugins);
        taken.add(lease);
        others.add(lease);
      }
      return new Served(estimator, loss, List.copyOf(others));
    } catch (Throwable e) {
      taken.forEach(Lease::close);
      throw e;
    }
  }

  /** Bundles and versions. */
  Set<String> bundles() {
    Set<String> bundles = new LinkedHashSet<>();
    bundles.add(estimator.bundle());
    bundles.add(loss.bundle());
    others.forEach(lease -> bundles.add(lease.bundle()));
    return bundles;
  }

  @Override
  public void close() {
    estimator.close();
    loss.close();
    others.forEach(Lease::close);
  }
}
