package roll.ui.system;

import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.osgi.framework.AllServiceListener;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceEvent;

/** Counts changes of plugins in the service registry. */
public final class ServiceChanges implements AllServiceListener, AutoCloseable {
  private static final String OURS = "roll.";

  private final BundleContext context;
  private final AtomicLong count = new AtomicLong();

  private ServiceChanges(BundleContext context) {
    this.context = context;
  }

  /** Counts changes from now on, in the service registry of {@code context}. */
  public static ServiceChanges of(BundleContext context) {
    ServiceChanges changes = new ServiceChanges(context);
    context.addServiceListener(changes);
    return changes;
  }

  /** Returns the number of changes of registered plugins. */
  public long count() {
    return count.get();
  }

  @Override
  public void serviceChanged(ServiceEvent event) {
    if (Stream.of(event.getServiceReference().getPropertyKeys())
        .anyMatch(k -> k.startsWith(OURS))) {
      count.incrementAndGet();
    }
  }

  @Override
  public void close() {
    try {
      context.removeServiceListener(this);
    } catch (IllegalStateException e) {
      // the bundle has stopped, which removed its listeners
    }
  }
}
