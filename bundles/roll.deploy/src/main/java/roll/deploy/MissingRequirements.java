package roll.deploy;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.osgi.framework.Bundle;
import org.osgi.framework.Constants;
import org.osgi.framework.namespace.ExecutionEnvironmentNamespace;
import org.osgi.framework.namespace.PackageNamespace;
import org.osgi.framework.wiring.BundleCapability;
import org.osgi.framework.wiring.BundleRequirement;
import org.osgi.framework.wiring.BundleRevision;
import org.osgi.resource.Namespace;

/** The requirements of a bundle that no installed bundle satisfies. */
final class MissingRequirements {
  private static final Pattern LEAST = Pattern.compile("(?<!!)\\(version>=([^)]+)\\)");
  private static final Pattern BOUND = Pattern.compile("\\(!\\(version>=([^)]+)\\)\\)");

  private final List<BundleRevision> installed;

  MissingRequirements(Bundle[] installed) {
    this.installed =
        Arrays.stream(installed)
            .map(bundle -> bundle.adapt(BundleRevision.class))
            .filter(revision -> revision != null)
            .toList();
  }

  /** Returns the first missing requirements of {@code bundle} in one line; empty if none. */
  Optional<String> of(Bundle bundle) {
    List<String> lacks =
        bundle.adapt(BundleRevision.class).getDeclaredRequirements(null).stream()
            .filter(MissingRequirements::counts)
            .filter(requirement -> capabilities(requirement).noneMatch(requirement::matches))
            .map(this::describe)
            .toList();
    String more = lacks.size() > 3 ? "; and " + (lacks.size() - 3) + " more" : "";
    return lacks.isEmpty()
        ? Optional.empty()
        : Optional.of(lacks.stream().limit(3).collect(Collectors.joining("; ")) + more);
  }

  /** Returns whether the framework must satisfy {@code requirement}. */
  private static boolean counts(BundleRequirement requirement) {
    String effective = requirement.getDirectives().get(Namespace.REQUIREMENT_EFFECTIVE_DIRECTIVE);
    return (effective == null || effective.equals(Namespace.EFFECTIVE_RESOLVE))
        && !OptionalPackages.isOptional(requirement);
  }

  private Stream<BundleCapability> capabilities(BundleRequirement requirement) {
    return installed.stream()
        .flatMap(revision -> revision.getDeclaredCapabilities(requirement.getNamespace()).stream());
  }

  private String describe(BundleRequirement requirement) {
    String filter = String.valueOf(requirement.getDirectives().get("filter"));
    return switch (requirement.getNamespace()) {
      case PackageNamespace.PACKAGE_NAMESPACE -> missingPackage(requirement, filter);
      case ExecutionEnvironmentNamespace.EXECUTION_ENVIRONMENT_NAMESPACE ->
          "it requires Java "
              + value(filter, Constants.VERSION_ATTRIBUTE)
              + ", this is Java "
              + Runtime.version().feature();
      default ->
          "no installed bundle has the capability " + requirement.getNamespace() + " " + filter;
    };
  }

  private String missingPackage(BundleRequirement requirement, String filter) {
    String name = value(filter, PackageNamespace.PACKAGE_NAMESPACE);
    String wanted = "package " + name + range(filter);
    List<BundleCapability> others =
        capabilities(requirement)
            .filter(c -> name.equals(c.getAttributes().get(PackageNamespace.PACKAGE_NAMESPACE)))
            .toList();
    if (others.isEmpty()) {
      return "no installed bundle exports "
          + wanted
          + " (embed it, or deploy a bundle that exports it)";
    }
    String here =
        others.stream()
            .map(
                c ->
                    c.getRevision().getSymbolicName()
                        + " "
                        + c.getRevision().getVersion()
                        + " has version "
                        + c.getAttributes().get(Constants.VERSION_ATTRIBUTE))
            .collect(Collectors.joining(", "));
    String api =
        name.startsWith("roll.api.")
            ? "it was built for another version of roll.api: "
            : "version: ";
    return api + "it needs " + wanted + ", but " + here;
  }

  private static String range(String filter) {
    Matcher least = LEAST.matcher(filter);
    Matcher bound = BOUND.matcher(filter);
    if (!least.find()) {
      return "";
    }
    return bound.find()
        ? " in [" + least.group(1) + "," + bound.group(1) + ")"
        : " ≥ " + least.group(1);
  }

  /** Returns the value of {@code attribute} in {@code filter}; "?" if there is none. */
  static String value(String filter, String attribute) {
    Matcher found =
        Pattern.compile("\\(" + Pattern.quote(attribute) + ">?=([^)]+)\\)").matcher(filter);
    return found.find() ? found.group(1) : "?";
  }
}
