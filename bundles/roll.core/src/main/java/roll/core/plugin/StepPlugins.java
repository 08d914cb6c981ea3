package roll.core.plugin;

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
 * The plugins of one step, leased before it and released after it.
 *
 * @param estimator of the advantages
 * @param loss of the policy
 * @param others plugins of custom kinds and of rollouts, kept until the step ends
 */
public record StepPlugins(
    Lease<AdvantageEstimator> estimator, Lease<PolicyLoss> loss, List<Lease<?>> others)
    implements AutoCloseable {
  /**
   * The plugins that {@code run} names.
   *
   * @throws roll.api.option.UserException if one is not registered
   */
  public static StepPlugins of(RunConfig run, Plugins plugins) {
    List<Lease<?>> taken = new ArrayList<>();
    try {
      Lease<AdvantageEstimator> estimator = PluginRequirement.estimator(run).lease(plugins);
      taken.add(estimator);
      Lease<PolicyLoss> loss = PluginRequirement.loss(run).lease(plugins);
      taken.add(loss);
      List<PluginRequirement<?>> further = new ArrayList<>(PluginRequirement.own(run, plugins));
      further.addAll(PluginRequirement.rollouts(run, plugins));
      List<Lease<?>> others = new ArrayList<>();
      for (PluginRequirement<?> requirement : further) {
        Lease<?> lease = requirement.lease(plugins);
        taken.add(lease);
        others.add(lease);
      }
      return new StepPlugins(estimator, loss, List.copyOf(others));
    } catch (Throwable e) {
      taken.forEach(Lease::close);
      throw e;
    }
  }

  /** Bundles and versions. */
  public Set<String> bundles() {
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
