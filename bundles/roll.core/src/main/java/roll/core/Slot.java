package roll.core;

import java.util.Locale;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.BundleContext;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;
import org.osgi.util.tracker.ServiceTracker;

/**
 * The place of one plugin in a run. A {@link Lease} is taken at a step boundary and given back when
 * the step ends, so that a replaced plugin serves from the next step on. A missing one is waited
 * for.
 */
final class Slot<T> implements AutoCloseable {
  private static final long LOOK_AGAIN_MILLIS = 500;

  private final BundleContext context;
  private final ServiceTracker<T, ServiceReference<T>> tracker;
  private final String name;

  Slot(BundleContext context, Class<T> type, String namespace, String id) {
    this.context = context;
    this.name = namespace + "=" + id;
    String filter =
        String.format(Locale.ROOT, "(&(objectClass=%s)(%s=%s))", type.getName(), namespace, id);
    try {
      tracker =
          new ServiceTracker<>(context, FrameworkUtil.createFilter(filter), null) {
            @Override
            public ServiceReference<T> addingService(ServiceReference<T> reference) {
              return reference;
            }
          };
    } catch (InvalidSyntaxException e) {
      throw new IllegalArgumentException(name, e);
    }
    tracker.open();
  }

  /**
   * A lease of the service, waited for if it is missing.
   *
   * @param cancelled asked while waiting; a wait that is cancelled gives null
   * @param notice told once when the wait begins
   */
  @Nullable Lease<T> lease(BooleanSupplier cancelled, Consumer<String> notice)
      throws InterruptedException {
    boolean told = false;
    while (true) {
      Lease<T> lease = leaseNow();
      if (lease != null) {
        return lease;
      }
      if (cancelled.getAsBoolean()) {
        return null;
      }
      if (!told) {
        notice.accept("no service " + name + ": waiting until a bundle provides it");
        told = true;
      }
      tracker.waitForService(LOOK_AGAIN_MILLIS);
    }
  }

  /** A lease of the service, or null if it is missing at this moment. */
  @Nullable Lease<T> leaseNow() {
    ServiceReference<T> reference = tracker.getServiceReference();
    T service = reference == null ? null : context.getService(reference);
    return reference == null || service == null ? null : new Lease<>(context, reference, service);
  }

  @Override
  public void close() {
    tracker.close();
  }

  /** A plugin in use. */
  record Lease<T>(BundleContext context, ServiceReference<T> reference, T service)
      implements AutoCloseable {
    /** Name and version of the bundle that serves. */
    String bundle() {
      var bundle = reference.getBundle();
      return bundle == null ? "gone" : bundle.getSymbolicName() + " " + bundle.getVersion();
    }

    @Override
    public void close() {
      context.ungetService(reference);
    }
  }
}
