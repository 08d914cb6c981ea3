package roll.core.plugin;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import roll.api.curriculum.Curriculum;
import roll.api.estimator.AdvantageEstimator;
import roll.api.loss.PolicyLoss;
import roll.api.plugin.Lease;
import roll.api.plugin.Plugins;
import roll.runtime.config.RunConfig;

/**
 * The plugins of one step, leased before the step and released after it.
 *
 * @param estimator of the advantages
 * @param loss of the policy
 * @param curriculum of the levels, or null where their mix is fixed
 * @param others plugins of custom kinds and of rollouts, kept until the step ends
 */
public record StepPlugins(
    Lease<AdvantageEstimator> estimator,
    Lease<PolicyLoss> loss,
    @Nullable Lease<Curriculum> curriculum,
    List<Lease<?>> others)
    implements AutoCloseable {
  /**
   * Leases the plugins that {@code run} names.
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
      Lease<Curriculum> curriculum = null;
      for (PluginRequirement<Curriculum> named : PluginRequirement.curricula(run)) {
        curriculum = named.lease(plugins);
        taken.add(curriculum);
      }
      List<PluginRequirement<?>> further = new ArrayList<>(PluginRequirement.own(run, plugins));
      further.addAll(PluginRequirement.rollouts(run, plugins));
      List<Lease<?>> others = new ArrayList<>();
      for (PluginRequirement<?> requirement : further) {
        Lease<?> lease = requirement.lease(plugins);
        taken.add(lease);
        others.add(lease);
      }
      return new StepPlugins(estimator, loss, curriculum, List.copyOf(others));
    } catch (Throwable e) {
      taken.forEach(Lease::close);
      throw e;
    }
  }

  /** Returns the bundles of the step's plugins with their versions. */
  public Set<String> bundles() {
    Set<String> bundles = new LinkedHashSet<>();
    bundles.add(estimator.bundle());
    bundles.add(loss.bundle());
    if (curriculum != null) {
      bundles.add(curriculum.bundle());
    }
    others.forEach(lease -> bundles.add(lease.bundle()));
    return bundles;
  }

  @Override
  public void close() {
    estimator.close();
    loss.close();
    if (curriculum != null) {
      curriculum.close();
    }
    others.forEach(Lease::close);
  }
}
