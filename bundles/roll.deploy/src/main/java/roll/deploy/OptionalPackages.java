package roll.deploy;

import java.util.Set;
import java.util.stream.Collectors;
import org.osgi.framework.namespace.PackageNamespace;
import org.osgi.framework.wiring.BundleRequirement;
import org.osgi.framework.wiring.BundleRevision;
import org.osgi.resource.Namespace;

/** The packages that a bundle imports optionally or dynamically. */
final class OptionalPackages {
  private final Set<String> names;

  /** The packages that {@code revision} imports optionally or dynamically. */
  OptionalPackages(BundleRevision revision) {
    names =
        revision.getDeclaredRequirements(PackageNamespace.PACKAGE_NAMESPACE).stream()
            .filter(OptionalPackages::isOptional)
            .map(OptionalPackages::name)
            .collect(Collectors.toSet());
  }

  /** Returns whether {@code requirement} is optional or dynamic. */
  static boolean isOptional(BundleRequirement requirement) {
    String resolution = requirement.getDirectives().get(Namespace.REQUIREMENT_RESOLUTION_DIRECTIVE);
    return Namespace.RESOLUTION_OPTIONAL.equals(resolution)
        || PackageNamespace.RESOLUTION_DYNAMIC.equals(resolution);
  }

  private static String name(BundleRequirement requirement) {
    String filter = String.valueOf(requirement.getDirectives().get("filter"));
    return MissingRequirements.value(filter, PackageNamespace.PACKAGE_NAMESPACE);
  }

  /** Returns whether {@code name} is an optionally imported package. */
  boolean has(String name) {
    return names.stream()
        .anyMatch(
            optional ->
                optional.endsWith("*")
                    ? name.startsWith(optional.substring(0, optional.length() - 1))
                    : name.equals(optional));
  }
}
