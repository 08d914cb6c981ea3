package roll.cluster.bundles;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.osgi.framework.Bundle;
import org.osgi.framework.wiring.BundleRevision;
import org.osgi.framework.wiring.BundleWire;
import org.osgi.framework.wiring.BundleWiring;
import roll.runtime.nodes.NodeRoles;

/**
 * Selects the bundles of this framework for another node: deployed ones, missing ones with plugins
 * for its roles, and missing ones to which these are wired.
 */
final class BundleSelection {
  private static final List<String> MODELS = List.of("roll.strategy", "roll.model");
  private static final String ENVIRONMENTS = "roll.env";

  private final Set<Long> deployed;
  private final List<String> roles;
  private final Set<String> present;
  private final Set<Bundle> chosen = new LinkedHashSet<>();

  /**
   * Creates an empty selection.
   *
   * @param deployed ids of the deployed bundles
   * @param roles of the node; empty for all but environments
   * @param present symbolic names of the bundles of the node
   */
  BundleSelection(Set<Long> deployed, List<String> roles, Set<String> present) {
    this.deployed = deployed;
    this.roles = roles;
    this.present = present;
  }

  /** Selects from {@code bundles}, in the order in which they can be started. */
  List<Bundle> of(Bundle[] bundles) {
    for (Bundle bundle : bundles) {
      boolean lacking = !present.contains(bundle.getSymbolicName()) && serves(bundle);
      if (active(bundle) && (deployed.contains(bundle.getBundleId()) || lacking)) {
        choose(bundle);
      }
    }
    return List.copyOf(chosen);
  }

  private static boolean active(Bundle bundle) {
    return bundle.getState() == Bundle.ACTIVE || bundle.getState() == Bundle.STARTING;
  }

  private boolean serves(Bundle bundle) {
    BundleRevision revision = bundle.adapt(BundleRevision.class);
    if (revision == null) {
      return false;
    }
    boolean models =
        roles.isEmpty() || roles.stream().anyMatch(r -> !r.equals(NodeRoles.ENVIRONMENT));
    boolean plays = roles.contains(NodeRoles.ENVIRONMENT);
    return (plays && !revision.getDeclaredCapabilities(ENVIRONMENTS).isEmpty())
        || (models
            && MODELS.stream().anyMatch(kind -> !revision.getDeclaredCapabilities(kind).isEmpty()));
  }

  /** Selects {@code bundle} after the bundles that it needs. */
  private void choose(Bundle bundle) {
    BundleWiring wiring = bundle.adapt(BundleWiring.class);
    if (wiring == null || chosen.contains(bundle)) {
      return;
    }
    for (BundleWire wire : wiring.getRequiredWires(null)) {
      Bundle needed = wire.getProvider().getBundle();
      boolean there =
          needed.getBundleId() == 0
              || needed.equals(bundle)
              || (present.contains(needed.getSymbolicName())
                  && !deployed.contains(needed.getBundleId()));
      if (!there) {
        choose(needed);
      }
    }
    chosen.add(bundle);
  }
}
