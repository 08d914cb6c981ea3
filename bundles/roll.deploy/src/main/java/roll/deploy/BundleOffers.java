package roll.deploy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.namespace.PackageNamespace;
import org.osgi.framework.wiring.BundleWiring;

/** Lists the services, commands and packages that a started bundle provides. */
final class BundleOffers {
  private static final String KIND = "roll.";
  private static final String COMMAND = "osgi.command.function";

  private final BundleContext context;

  BundleOffers(BundleContext context) {
    this.context = context;
  }

  /**
   * Returns names such as {@code roll.env=maze}, {@code command roll:solve} and {@code package
   * a.b}, in this order, with a note if another bundle provides the same name.
   */
  List<String> of(Bundle bundle) {
    TreeSet<String> plugins = new TreeSet<>();
    TreeSet<String> commands = new TreeSet<>();
    ServiceReference<?>[] services = bundle.getRegisteredServices();
    for (ServiceReference<?> service : services == null ? new ServiceReference<?>[0] : services) {
      for (String key : service.getPropertyKeys()) {
        if (key.startsWith(KIND)) {
          names(service.getProperty(key)).forEach(id -> plugins.add(plugin(bundle, key, id)));
        }
      }
      String scope = "command " + service.getProperty("osgi.command.scope") + ":";
      names(service.getProperty(COMMAND)).forEach(name -> commands.add(scope + name));
    }
    List<String> offers = new ArrayList<>(plugins);
    offers.addAll(commands);
    BundleWiring wiring = bundle.adapt(BundleWiring.class);
    if (wiring != null) {
      wiring.getCapabilities(PackageNamespace.PACKAGE_NAMESPACE).stream()
          .map(c -> "package " + c.getAttributes().get(PackageNamespace.PACKAGE_NAMESPACE))
          .sorted()
          .forEach(offers::add);
    }
    return offers;
  }

  /** Returns the name, with the other providers and which one is used. */
  private String plugin(Bundle bundle, String kind, String id) {
    String name = kind + "=" + id;
    try {
      ServiceReference<?>[] all = context.getAllServiceReferences(null, "(" + name + ")");
      List<ServiceReference<?>> ranked =
          Arrays.stream(all == null ? new ServiceReference<?>[0] : all)
              .<ServiceReference<?>>map(reference -> reference)
              .sorted((a, b) -> b.compareTo(a))
              .toList();
      List<String> others =
          ranked.stream()
              .map(ServiceReference::getBundle)
              .filter(other -> other != null && other != bundle)
              .map(other -> other.getSymbolicName() + " " + other.getVersion())
              .distinct()
              .toList();
      if (others.isEmpty()) {
        return name;
      }
      boolean first = ranked.getFirst().getBundle() == bundle;
      return name
          + " (also provided by "
          + String.join(", ", others)
          + (first ? "; this one is used)" : ", which is used)");
    } catch (InvalidSyntaxException e) {
      return name; // an id that cannot be in a filter
    }
  }

  private static List<String> names(@Nullable Object property) {
    return switch (property) {
      case null -> List.of();
      case String name -> List.of(name);
      case Object[] several -> Stream.of(several).map(String::valueOf).toList();
      case Collection<?> several -> several.stream().map(String::valueOf).toList();
      default -> List.of();
    };
  }
}
