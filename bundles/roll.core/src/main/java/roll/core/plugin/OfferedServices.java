package roll.core.plugin;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;
import roll.runtime.plugin.BundleOrigin;
import roll.runtime.plugin.OfferedService;
import roll.runtime.plugin.ServiceNames;

/**
 * The plugins that are registered at this moment, whether they can be had or not. To ask creates
 * none of them.
 *
 * @param context sees the service registry
 */
record OfferedServices(BundleContext context) {
  /**
   * Returns the registered services of one plugin kind by name.
   *
   * @param kind namespace of the names
   */
  List<OfferedService> of(String kind) {
    List<OfferedService> offered = new ArrayList<>();
    for (ServiceReference<?> reference : references(kind)) {
      Bundle bundle = reference.getBundle();
      if (bundle != null) { // null: unregistered a moment ago
        offered.add(
            new OfferedService(
                Objects.requireNonNull((Long) reference.getProperty(Constants.SERVICE_ID)),
                kind,
                ServiceNames.all(reference.getProperty(kind)),
                String.valueOf(bundle.getSymbolicName()),
                bundle.getVersion().toString(),
                BundleOrigin.of(context.getProperty(BundleOrigin.WATCHED), bundle.getLocation())));
      }
    }
    offered.sort(Comparator.comparing(service -> String.join(", ", service.ids())));
    return offered;
  }

  private List<ServiceReference<?>> references(String kind) {
    try {
      ServiceReference<?>[] found = context.getAllServiceReferences(null, "(" + kind + "=*)");
      return found == null ? List.of() : List.of(found);
    } catch (InvalidSyntaxException e) {
      throw new IllegalArgumentException(kind, e);
    }
  }
}
