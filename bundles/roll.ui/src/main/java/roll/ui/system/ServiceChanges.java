package roll.ui.system;

import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.osgi.framework.AllServiceListener;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceEvent;

/** How often a plugin came, changed or went since this was made. */
public final class ServiceChanges implements AllServiceListener, AutoCloseable {
  private static final String OURS = "roll.";

  private final BundleContext context;
  private final AtomicLong count = new AtomicLong();

  private ServiceChanges(BundleContext context) {
    this.context = context;
  }

  /** From now on, in the service registry that {@code context} sees. */
  public static ServiceChanges of(BundleContext context) {
    ServiceChanges changes = new ServiceChanges(context);
    context.addServiceListener(changes);
    return changes;
  }

  /** A number that rises with each. */
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
      // the bundle has stopped, and with that its listeners are gone
    }
  }
}
