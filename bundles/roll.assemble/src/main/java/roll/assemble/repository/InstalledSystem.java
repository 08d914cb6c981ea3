package roll.assemble.repository;

import aQute.bnd.osgi.resource.ResourceUtils;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Version;
import org.osgi.framework.wiring.BundleRevision;
import org.osgi.framework.wiring.BundleWiring;
import org.osgi.resource.Capability;
import org.osgi.resource.Requirement;
import org.osgi.resource.Resource;
import org.osgi.resource.Wiring;

/**
 * The installed bundles.
 *
 * @param bundles all of them, as they are now
 * @param deployed numbers of those that are none of the distribution
 */
record InstalledSystem(List<Bundle> bundles, Set<Long> deployed) {
  static InstalledSystem of(BundleContext context, Set<Long> deployed) {
    return new InstalledSystem(List.of(context.getBundles()), deployed);
  }

  /** Returns whether a bundle is called {@code name}. */
  boolean has(String name) {
    return bundles.stream().anyMatch(bundle -> name.equals(bundle.getSymbolicName()));
  }

  /** Returns the newest installed version of {@code name}. */
  Optional<Version> version(String name) {
    return bundles.stream()
        .filter(bundle -> name.equals(bundle.getSymbolicName()))
        .map(Bundle::getVersion)
        .max(IndexedBundle.ORDER);
  }

  /** Returns how the bundles are wired, without the deployed one that {@code name} replaces. */
  Map<Resource, Wiring> wirings(String name) {
    Map<Resource, Wiring> wirings = new LinkedHashMap<>();
    for (Bundle bundle : bundles) {
      BundleWiring wiring = bundle.adapt(BundleWiring.class);
      boolean replaced =
          name.equals(bundle.getSymbolicName()) && deployed.contains(bundle.getBundleId());
      if (wiring != null && !replaced) {
        wirings.put(wiring.getRevision(), wiring);
      }
    }
    return wirings;
  }

  /** Returns whether a bundle provides {@code requirement}, resolved or not, active or not. */
  boolean provides(Requirement requirement) {
    Predicate<Capability> matches = ResourceUtils.matcher(requirement);
    return capabilities(requirement.getNamespace()).anyMatch(matches);
  }

  /** Returns the capabilities that the bundles declare. */
  Stream<Capability> capabilities(String namespace) {
    return bundles.stream()
        .map(bundle -> bundle.adapt(BundleRevision.class))
        .filter(revision -> revision != null)
        .flatMap(revision -> revision.getDeclaredCapabilities(namespace).stream());
  }
}
