package roll.core.plugin;

import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.WeakHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Filter;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceEvent;
import org.osgi.framework.ServiceListener;
import org.osgi.framework.ServiceReference;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import roll.api.plugin.Lease;
import roll.api.plugin.Plugins;
import roll.runtime.plugin.OfferedService;
import roll.runtime.plugin.PluginRegistry;

/**
 * Leases plugins from the OSGi service registry. A service listener is called before a service is
 * unregistered and blocks the caller while the service is in use, so that neither its component is
 * deactivated nor its bundle's class loader closed in the middle of a step.
 *
 * <p>A plugin that was leased once is held until it is unregistered: DS deactivates unused
 * components, and plugins that keep an index, a server or interpreters for the next step are unused
 * between two steps.
 */
@Component(
    name = "roll.core.plugins",
    immediate = true,
    service = {Plugins.class, PluginRegistry.class})
public final class CorePlugins implements PluginRegistry {
  /** Framework property: seconds that a plugin in use may delay the stop of its bundle. */
  static final String TIMEOUT = "roll.retire.timeout";

  private static final long DEFAULT_SECONDS = 600;

  private final BundleContext context;
  private final long timeoutMillis;
  private final PluginCatalog catalog = new PluginCatalog();
  private final Map<ServiceReference<?>, Integer> used = new HashMap<>();

  /** Unregistered services, whose class loaders must not be held any longer. */
  private final Set<ServiceReference<?>> going = Collections.newSetFromMap(new WeakHashMap<>());

  private final Set<ServiceReference<?>> kept = Collections.newSetFromMap(new WeakHashMap<>());

  private final ServiceListener listener = this::changed;

  /** Creates the plugins of the services that {@code context} sees. */
  @Activate
  public CorePlugins(BundleContext context) {
    this.context = context;
    timeoutMillis = 1000 * seconds(context.getProperty(TIMEOUT));
    context.addServiceListener(listener);
  }

  /** Returns the default also for a wrong value, which only an embedding framework can give. */
  private static long seconds(@Nullable String value) {
    return value != null && value.matches("\\d{1,9}") ? Long.parseLong(value) : DEFAULT_SECONDS;
  }

  @Deactivate
  void deactivate() {
    context.removeServiceListener(listener);
  }

  @Override
  public <T> @Nullable Lease<T> lease(Class<T> type, String kind, String name) {
    while (true) {
      ServiceReference<T> staying = best(type, kind, name);
      ServiceReference<T> best = staying == null ? leaving(type, kind, name) : staying;
      if (best == null) {
        return null;
      }
      if (take(best)) {
        T service = context.getService(best);
        if (service != null) {
          keep(best);
          return new ServiceLease<>(this, type, kind, name, best, service);
        }
        giveBack(best);
        return null; // its component cannot be activated, or it has just gone
      }
    }
  }

  /** Returns the best service of that name that is not being unregistered, or null. */
  <T> @Nullable ServiceReference<T> best(Class<T> type, String kind, String name) {
    ServiceReference<T> best = null;
    for (ServiceReference<T> reference : references(type, filter(kind, name))) {
      if (!isGoing(reference) && (best == null || reference.compareTo(best) > 0)) {
        best = reference;
      }
    }
    return best;
  }

  private static String filter(String kind, String name) {
    return "(" + kind + "=" + name.replaceAll("([\\\\*()])", "\\\\$1") + ")";
  }

  /**
   * A service that is being unregistered but still in use, since a step ends with the plugins it
   * started with. The registry no longer finds it.
   */
  @SuppressWarnings("unchecked") // the filter asks for the type
  private synchronized <T> @Nullable ServiceReference<T> leaving(
      Class<T> type, String kind, String name) {
    try {
      Filter filter =
          FrameworkUtil.createFilter(
              "(&(objectClass=" + type.getName() + ")" + filter(kind, name) + ")");
      for (ServiceReference<?> reference : used.keySet()) {
        if (filter.match(reference)) {
          return (ServiceReference<T>) reference;
        }
      }
      return null;
    } catch (InvalidSyntaxException e) {
      throw new IllegalArgumentException(name, e);
    }
  }

  private <T> Collection<ServiceReference<T>> references(Class<T> type, @Nullable String filter) {
    try {
      return context.getServiceReferences(type, filter);
    } catch (InvalidSyntaxException e) {
      throw new IllegalArgumentException(filter, e);
    }
  }

  private synchronized boolean isGoing(ServiceReference<?> reference) {
    return going.contains(reference);
  }

  private synchronized boolean take(ServiceReference<?> reference) {
    if (going.contains(reference) && !used.containsKey(reference)) {
      return false;
    }
    used.merge(reference, 1, Integer::sum);
    return true;
  }

  /** Keeps {@code reference} until it is unregistered, without delaying its end. */
  private void keep(ServiceReference<?> reference) {
    synchronized (this) {
      if (going.contains(reference) || !kept.add(reference)) {
        return;
      }
    }
    var unused = context.getService(reference);
  }

  /** Ends one use of the plugin {@code reference}. */
  void giveBack(ServiceReference<?> reference) {
    context.ungetService(reference);
    synchronized (this) {
      used.computeIfPresent(reference, (key, count) -> count == 1 ? null : count - 1);
      notifyAll();
    }
  }

  @Override
  public List<String> names(Class<?> type, String kind) {
    TreeSet<String> names = new TreeSet<>();
    for (ServiceReference<?> reference : references(type, null)) {
      if (!isGoing(reference)) {
        switch (reference.getProperty(kind)) {
          case String name -> names.add(name);
          case String[] several -> names.addAll(List.of(several));
          case Collection<?> several -> several.forEach(name -> names.add(String.valueOf(name)));
          case null, default -> {}
        }
      }
    }
    return List.copyOf(names);
  }

  @Override
  public @Nullable String lacking(String kind, String name) {
    String bundle = catalog.bundle(kind, name);
    boolean installed =
        Stream.of(context.getBundles()).anyMatch(b -> b.getSymbolicName().equals(bundle));
    return installed ? null : bundle;
  }

  @Override
  public @Nullable String trouble(Class<?> type, String kind, String name) {
    ServiceReference<?> reference = best(type, kind, name);
    return reference == null
        ? catalog.foreign(kind, name)
        : new ActivationFailures(context).of(kind, name, reference);
  }

  @Override
  public List<OfferedService> offered(String kind) {
    return new OfferedServices(context).of(kind);
  }

  private void changed(ServiceEvent event) {
    if (event.getType() == ServiceEvent.UNREGISTERING) {
      ServiceReference<?> reference = event.getServiceReference();
      retire(reference);
      if (kept(reference)) {
        context.ungetService(reference);
      }
    }
  }

  private synchronized boolean kept(ServiceReference<?> reference) {
    return kept.remove(reference);
  }

  /**
   * Blocks the unregistering thread until the last use of the service ends or the timeout expires.
   */
  private synchronized void retire(ServiceReference<?> reference) {
    going.add(reference); // also an unused one: a caller may have just found it
    long deadline = System.nanoTime() + timeoutMillis * 1_000_000;
    try {
      for (long left = timeoutMillis; used.containsKey(reference) && left > 0; ) {
        wait(left);
        left = (deadline - System.nanoTime()) / 1_000_000;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // who interrupts wants it to go now
    }
  }
}
