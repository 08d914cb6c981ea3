package roll.assemble.repository;

import aQute.bnd.osgi.resource.ResourceUtils;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.osgi.resource.Capability;
import org.osgi.resource.Namespace;
import org.osgi.resource.Requirement;
import org.osgi.resource.Resource;
import org.osgi.resource.Wiring;
import org.osgi.service.resolver.HostedCapability;
import org.osgi.service.resolver.ResolveContext;

/** Resolves bundles of an index against the installed ones, which come first and stay as wired. */
final class DeploymentContext extends ResolveContext {
  private final Map<Resource, Wiring> installed;
  private final List<Resource> wanted;
  private final List<Resource> stock;

  /**
   * A context in which all of {@code wanted} must resolve.
   *
   * @param stock bundles that may be added, the preferred first
   */
  DeploymentContext(Map<Resource, Wiring> installed, List<Resource> wanted, List<Resource> stock) {
    this.installed = installed;
    this.wanted = List.copyOf(wanted);
    this.stock = stock;
  }

  @Override
  public Collection<Resource> getMandatoryResources() {
    return wanted;
  }

  @Override
  public List<Capability> findProviders(Requirement requirement) {
    String namespace = requirement.getNamespace();
    Predicate<Capability> matches = ResourceUtils.matcher(requirement);
    List<Capability> providers = new ArrayList<>();
    for (Wiring wiring : installed.values()) {
      wiring.getResourceCapabilities(namespace).stream().filter(matches).forEach(providers::add);
    }
    for (List<Resource> resources : List.of(wanted, stock)) {
      for (Resource resource : resources) {
        resource.getCapabilities(namespace).stream().filter(matches).forEach(providers::add);
      }
    }
    return providers;
  }

  @Override
  public int insertHostedCapability(List<Capability> capabilities, HostedCapability hosted) {
    capabilities.add(hosted);
    return capabilities.size() - 1;
  }

  @Override
  public boolean isEffective(Requirement requirement) {
    String effective = requirement.getDirectives().get(Namespace.REQUIREMENT_EFFECTIVE_DIRECTIVE);
    return effective == null || effective.equals(Namespace.EFFECTIVE_RESOLVE);
  }

  @Override
  public Map<Resource, Wiring> getWirings() {
    return installed;
  }

  /** Returns whether {@code requirement} need not be satisfied. */
  static boolean optional(Requirement requirement) {
    return Namespace.RESOLUTION_OPTIONAL.equals(
        requirement.getDirectives().get(Namespace.REQUIREMENT_RESOLUTION_DIRECTIVE));
  }
}
