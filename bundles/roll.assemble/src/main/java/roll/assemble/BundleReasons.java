package roll.assemble;

import aQute.bnd.osgi.resource.ResourceUtils;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.osgi.resource.Requirement;
import org.osgi.resource.Wire;

/** Explains why bnd included a bundle. */
final class BundleReasons {
  private static final Pattern VALUE = Pattern.compile("\\((?:[\\w.]+)=([^()]+)\\)");

  /** Maximum number of requiring bundles that are listed with their requirements. */
  private static final int MANY = 3;

  private final Map<String, List<String>> keys;

  /** Reasons with the configuration keys by filter. */
  BundleReasons(Map<String, List<String>> keys) {
    this.keys = keys;
  }

  /** Returns the reasons: configuration keys first, then requirements of other bundles. */
  List<String> of(Collection<Wire> wires) {
    List<String> asked = new ArrayList<>();
    Map<String, TreeSet<String>> needed = new TreeMap<>();
    for (Wire wire : wires) {
      Requirement requirement = wire.getRequirement();
      if (ResourceUtils.isInitialRequirement(wire.getRequirer())) {
        asked.addAll(keys.getOrDefault(filter(requirement), List.of("every distribution")));
      } else if (!optional(requirement)) {
        needed
            .computeIfAbsent(ResourceUtils.getIdentity(wire.getRequirer()), who -> new TreeSet<>())
            .add(what(requirement));
      }
    }
    List<String> reasons = new ArrayList<>(asked.stream().distinct().toList());
    if (needed.size() > MANY) {
      reasons.add(needed.size() + " bundles need it: " + String.join(", ", needed.keySet()));
    } else {
      needed.forEach((who, what) -> reasons.add(who + " needs " + String.join(", ", what)));
    }
    return reasons;
  }

  /** Returns whether the requirement {@code requirement} is optional. */
  static boolean optional(Requirement requirement) {
    return requirement.getDirectives().getOrDefault("resolution", "").equals("optional");
  }

  private static String filter(Requirement requirement) {
    return String.valueOf(requirement.getDirectives().get("filter"));
  }

  private static String what(Requirement requirement) {
    Matcher value = VALUE.matcher(filter(requirement));
    String name = value.find() ? value.group(1) : filter(requirement);
    return switch (requirement.getNamespace()) {
      case "osgi.wiring.package" -> "package " + name;
      case "osgi.service" -> "a service " + name;
      case "osgi.extender" -> "the extender " + name;
      default -> requirement.getNamespace() + " " + name;
    };
  }
}
