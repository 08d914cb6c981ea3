package roll.itests;

import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import org.osgi.framework.Bundle;
import org.osgi.framework.Filter;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.wiring.BundleCapability;

/**
 * One name that a plugin offers.
 *
 * @param kind namespace of the capability and key of the service property, for example roll.env
 * @param name what a configuration calls it
 */
record Offer(String kind, String name) {
  /** The names of one capability; there may be aliases. */
  static List<Offer> of(BundleCapability capability) {
    String kind = capability.getNamespace();
    Object value = capability.getAttributes().get(kind);
    Collection<?> names =
        value instanceof Collection<?> many ? many : List.of(String.valueOf(value));
    return names.stream().map(name -> new Offer(kind, String.valueOf(name))).toList();
  }

  /** How many services {@code bundle} has registered under this name. */
  long services(Bundle bundle) throws InvalidSyntaxException {
    ServiceReference<?>[] found =
        Plugins.context().getAllServiceReferences(null, filter().toString());
    return found == null
        ? 0
        : Stream.of(found).filter(service -> bundle.equals(service.getBundle())).count();
  }

  /** Matches services of this name. */
  Filter filter() throws InvalidSyntaxException {
    return FrameworkUtil.createFilter("(" + kind + "=" + name + ")");
  }
}
