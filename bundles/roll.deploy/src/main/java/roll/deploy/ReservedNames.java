package roll.deploy;

import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.framework.namespace.PackageNamespace;
import org.osgi.framework.wiring.BundleCapability;
import org.osgi.framework.wiring.BundleRevision;

/**
 * Symbolic names and exports that are reserved for the distribution. If a deployed jar exported the
 * same package or capability, the framework could wire later plugins to it instead of the system.
 */
final class ReservedNames {
  /** The bundles that a jar may provide another version of. */
  private static final Pattern PLUGIN =
      Pattern.compile(
          "roll\\.(agent|curriculum|dialect|env|estimator|grader|loss|model|preference|reward|sandbox"
              + "|strategy|tool|tracking|worker|workspace)\\..+");

  /** Namespaces that every bundle may provide. */
  private static final Set<String> OWN =
      Set.of(
          "osgi.identity",
          "osgi.service",
          "osgi.wiring.bundle",
          "osgi.wiring.host",
          PackageNamespace.PACKAGE_NAMESPACE);

  private final BundleContext context;
  private final DeployFolder folder;

  ReservedNames(BundleContext context, DeployFolder folder) {
    this.context = context;
    this.folder = folder;
  }

  /** Returns the bundles that were not deployed. */
  private Stream<Bundle> distribution() {
    return Stream.of(context.getBundles()).filter(bundle -> !folder.holds(bundle.getLocation()));
  }

  /** Returns the reason why the name of {@code candidate} is refused; empty if it is allowed. */
  Optional<String> name(CandidateJar candidate) {
    String name = candidate.name();
    Optional<Bundle> taken =
        distribution().filter(bundle -> name.equalsIgnoreCase(bundle.getSymbolicName())).findAny();
    if (name.equalsIgnoreCase(Constants.SYSTEM_BUNDLE_SYMBOLICNAME)
        || (taken.isPresent() && !PLUGIN.matcher(name).matches())) {
      return Optional.of(
          "the name " + name + " is reserved by this distribution; choose another name");
    }
    return distribution()
        .filter(bundle -> name.equals(bundle.getSymbolicName()))
        .filter(bundle -> candidate.version().equals(bundle.getVersion()))
        .findAny()
        .map(
            bundle ->
                candidate.title()
                    + " is part of this distribution; choose another version or name");
  }

  /** Returns the reserved package or capability that {@code revision} provides; empty if none. */
  Optional<String> offer(BundleRevision revision) {
    if ((revision.getTypes() & BundleRevision.TYPE_FRAGMENT) != 0) {
      return Optional.of("it is a fragment");
    }
    return revision.getDeclaredCapabilities(null).stream()
        .flatMap(capability -> offer(capability).stream())
        .findFirst();
  }

  private Optional<String> offer(BundleCapability capability) {
    String namespace = capability.getNamespace();
    if (!namespace.equals(PackageNamespace.PACKAGE_NAMESPACE)) {
      return namespace.startsWith("osgi.") && !OWN.contains(namespace)
          ? Optional.of(
              "it provides the capability " + namespace + ", which is reserved for the system")
          : Optional.empty();
    }
    String name = String.valueOf(capability.getAttributes().get(namespace));
    if (name.equals("roll.api") || name.startsWith("roll.api.") || name.startsWith("java.")) {
      return Optional.of(
          "it exports package " + name + ", which is reserved for the system" + ADVICE);
    }
    return exporter(name)
        .map(
            bundle ->
                "it exports package "
                    + name
                    + ", which "
                    + bundle.getSymbolicName()
                    + " "
                    + bundle.getVersion()
                    + " exports here"
                    + ADVICE);
  }

  /** Returns the bundle of the distribution that exports the package {@code name}. */
  Optional<Bundle> exporter(String name) {
    return distribution().filter(bundle -> exports(bundle, name)).findFirst();
  }

  private static final String ADVICE = ": import it, or do not export it (-privatepackage)";

  private static boolean exports(Bundle bundle, String name) {
    BundleRevision revision = bundle.adapt(BundleRevision.class);
    return revision != null
        && revision.getDeclaredCapabilities(PackageNamespace.PACKAGE_NAMESPACE).stream()
            .anyMatch(c -> name.equals(c.getAttributes().get(PackageNamespace.PACKAGE_NAMESPACE)));
  }
}
