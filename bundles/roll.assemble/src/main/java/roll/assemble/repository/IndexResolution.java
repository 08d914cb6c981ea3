package roll.assemble.repository;

import aQute.bnd.osgi.resource.ResourceUtils;
import biz.aQute.resolve.BndResolver;
import biz.aQute.resolve.ResolverLogger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.osgi.resource.Requirement;
import org.osgi.resource.Resource;
import org.osgi.resource.Wire;
import org.osgi.service.resolver.ResolutionException;
import roll.api.option.UserException;
import roll.text.OneLine;

/**
 * Finds what must be deployed for one bundle of an index. No bundle is added whose name is
 * installed: the distribution's stay, and deployed ones are replaced only by name.
 */
final class IndexResolution {
  private static final String SERVICE = "osgi.service";

  private final InstalledSystem system;
  private final IndexedBundle wanted;
  private final List<Resource> stock;

  /** The bundles that each bundle needs. */
  private final Map<Resource, Set<Resource>> needs = new HashMap<>();

  private final Set<Resource> ordered = new LinkedHashSet<>();
  private final Set<Resource> open = new HashSet<>();

  private IndexResolution(InstalledSystem system, IndexedBundle wanted, List<Resource> stock) {
    this.system = system;
    this.wanted = wanted;
    this.stock = stock;
  }

  /**
   * Returns {@code wanted} after the bundles of {@code index} that it needs and the system lacks,
   * each after those that it needs.
   *
   * @param index all bundles, the preferred first
   * @throws UserException if it does not resolve, or some need each other
   */
  static List<Resource> of(
      InstalledSystem system, IndexedBundle wanted, List<IndexedBundle> index) {
    List<Resource> stock =
        index.stream()
            .filter(bundle -> !bundle.offer().name().equals(wanted.offer().name()))
            .filter(bundle -> !system.has(bundle.offer().name()))
            .map(IndexedBundle::resource)
            .toList();
    IndexResolution resolution = new IndexResolution(system, wanted, stock);
    resolution.resolve();
    resolution.order(wanted.resource());
    return List.copyOf(resolution.ordered);
  }

  private void resolve() {
    List<Resource> mandatory = new ArrayList<>(List.of(wanted.resource()));
    for (boolean complete = false; !complete; ) {
      needs.clear();
      wires(mandatory)
          .forEach(
              (resource, wires) -> {
                Set<Resource> providers = needs.computeIfAbsent(resource, _ -> new HashSet<>());
                wires.forEach(wire -> providers.add(wire.getProvider()));
                providers.remove(resource);
              });
      needs.values().forEach(providers -> providers.retainAll(needs.keySet()));
      complete = !addServices(mandatory);
    }
  }

  private Map<Resource, List<Wire>> wires(List<Resource> mandatory) {
    try (ResolverLogger log = new ResolverLogger(0)) {
      return new BndResolver(log)
          .resolve(new DeploymentContext(system.wirings(wanted.offer().name()), mandatory, stock));
    } catch (ResolutionException e) {
      throw new UserException(
          OneLine.of(
              wanted.offer().title()
                  + ": "
                  + new UnmetRequirements(system, stock)
                      .of(wanted.resource())
                      .orElse("no set of bundles satisfies all its imports")),
          e);
    }
  }

  /**
   * Adds to {@code mandatory} the providers of services that components require and no installed
   * bundle declares, which the framework does not resolve; returns whether there were any.
   */
  private boolean addServices(List<Resource> mandatory) {
    boolean added = false;
    for (Map.Entry<Resource, Set<Resource>> one : needs.entrySet()) {
      for (Requirement requirement : one.getKey().getRequirements(SERVICE)) {
        Optional<Resource> provider = serviceProvider(requirement);
        if (provider.isPresent() && !provider.get().equals(one.getKey())) {
          one.getValue().add(provider.get());
          if (!needs.containsKey(provider.get())) {
            mandatory.add(provider.get());
            added = true;
          }
        }
      }
    }
    return added;
  }

  private Optional<Resource> serviceProvider(Requirement requirement) {
    return DeploymentContext.optional(requirement) || system.provides(requirement)
        ? Optional.empty()
        : Stream.concat(needs.keySet().stream(), stock.stream())
            .filter(resource -> ResourceUtils.matches(requirement, resource))
            .findFirst();
  }

  /** Adds {@code resource} to the ordered ones after those that it needs. */
  private void order(Resource resource) {
    if (ordered.contains(resource)) {
      return;
    }
    if (!open.add(resource)) {
      throw new UserException(
          wanted.offer().title()
              + ": bundles that it needs need each other ("
              + ResourceUtils.getIdentity(resource)
              + "), and bundles are deployed one after the other");
    }
    Objects.requireNonNull(needs.get(resource)).forEach(this::order);
    ordered.add(resource);
  }
}
