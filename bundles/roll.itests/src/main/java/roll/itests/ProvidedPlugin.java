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
 * A name under which a plugin provides a service.
 *
 * @param kind namespace of the capability and key of the service property, for example roll.env
 * @param name the name in configurations
 */
record ProvidedPlugin(String kind, String name) {
  /** Returns the names of a capability, including aliases. */
  static List<ProvidedPlugin> of(BundleCapability capability) {
    String kind = capability.getNamespace();
    Object value = capability.getAttributes().get(kind);
    Collection<?> names =
        value instanceof Collection<?> many ? many : List.of(String.valueOf(value));
    return names.stream().map(name -> new ProvidedPlugin(kind, String.valueOf(name))).toList();
  }

  /** Returns the number of services that {@code bundle} has registered with this name. */
  long services(Bundle bundle) throws InvalidSyntaxException {
    ServiceReference<?>[] found =
        Plugins.context().getAllServiceReferences(null, filter().toString());
    return found == null
        ? 0
        : Stream.of(found).filter(service -> bundle.equals(service.getBundle())).count();
  }

  /** Returns a filter for services with this name. */
  Filter filter() throws InvalidSyntaxException {
    return FrameworkUtil.createFilter("(" + kind + "=" + name + ")");
  }
}
