package roll.assemble.repository;

import aQute.bnd.osgi.resource.FilterParser;
import aQute.bnd.osgi.resource.FilterParser.PackageExpression;
import aQute.bnd.osgi.resource.ResourceUtils;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.osgi.framework.namespace.ExecutionEnvironmentNamespace;
import org.osgi.framework.namespace.PackageNamespace;
import org.osgi.framework.wiring.BundleCapability;
import org.osgi.resource.Capability;
import org.osgi.resource.Requirement;
import org.osgi.resource.Resource;

/** Finds the requirement of a bundle that neither the system nor an index satisfies. */
final class UnmetRequirements {
  private final InstalledSystem system;
  private final List<Resource> stock;
  private final Set<Resource> seen = new HashSet<>();

  UnmetRequirements(InstalledSystem system, List<Resource> stock) {
    this.system = system;
    this.stock = stock;
  }

  /** Returns one line on the first such requirement of {@code bundle} or what it needs. */
  Optional<String> of(Resource bundle) {
    if (!seen.add(bundle)) {
      return Optional.empty();
    }
    for (Requirement requirement : bundle.getRequirements(null)) {
      boolean counts =
          !DeploymentContext.optional(requirement)
              && "resolve".equals(ResourceUtils.getEffective(requirement.getDirectives()));
      if (!counts || system.provides(requirement) || ResourceUtils.matches(requirement, bundle)) {
        continue;
      }
      Optional<Resource> provider =
          stock.stream().filter(one -> ResourceUtils.matches(requirement, one)).findFirst();
      Optional<String> unmet =
          provider.isPresent()
              ? of(provider.get())
                  .map(why -> "it needs " + ResourceUtils.getIdentity(provider.get()) + ": " + why)
              : Optional.of(describe(requirement));
      if (unmet.isPresent()) {
        return unmet;
      }
    }
    return Optional.empty();
  }

  private String describe(Requirement requirement) {
    String filter = String.valueOf(requirement.getDirectives().get("filter"));
    if (requirement
        .getNamespace()
        .equals(ExecutionEnvironmentNamespace.EXECUTION_ENVIRONMENT_NAMESPACE)) {
      return "it requires " + filter + ", this is Java " + Runtime.version().feature();
    }
    return new FilterParser().parse(requirement) instanceof PackageExpression wanted
        ? missingPackage(wanted)
        : "neither this system nor the index has the capability "
            + requirement.getNamespace()
            + " "
            + filter;
  }

  private String missingPackage(PackageExpression wanted) {
    String name = wanted.getPackageName();
    String range =
        wanted.getRangeExpression() == null
            ? ""
            : " in " + wanted.getRangeExpression().getRangeString();
    String here =
        system
            .capabilities(PackageNamespace.PACKAGE_NAMESPACE)
            .filter(c -> name.equals(c.getAttributes().get(PackageNamespace.PACKAGE_NAMESPACE)))
            .map(UnmetRequirements::exporter)
            .collect(Collectors.joining(", "));
    String built = name.startsWith("roll.") ? "it was built for another version of roll: " : "";
    return built
        + "it needs package "
        + name
        + range
        + (here.isEmpty() ? ", which neither this system nor the index has" : ", but " + here);
  }

  private static String exporter(Capability exported) {
    String version = String.valueOf(exported.getAttributes().get("version"));
    return exported instanceof BundleCapability bundle
        ? bundle.getRevision().getSymbolicName()
            + " "
            + bundle.getRevision().getVersion()
            + " has version "
            + version
        : "version " + version + " is here";
  }
}
