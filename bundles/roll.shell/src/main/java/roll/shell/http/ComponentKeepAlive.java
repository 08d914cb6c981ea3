package roll.shell.http;

import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceReference;
import org.osgi.service.component.ComponentContext;

/**
 * Keeps a component active while it has open resources. SCR deactivates a delayed component as soon
 * as its service is unused, and a Gogo command uses it only during the call; so the component uses
 * its own service.
 */
public interface ComponentKeepAlive {
  /** Does nothing, for use outside a framework. */
  ComponentKeepAlive NONE = () -> () -> {};

  /** Begins a use of the component; running the result ends it. */
  Runnable begin();

  /** Returns the reference of {@code component} to itself. */
  static ComponentKeepAlive of(ComponentContext component) {
    return () -> {
      BundleContext context = component.getBundleContext();
      ServiceReference<?> own = component.getServiceReference();
      var unused = context.getService(own);
      return () -> {
        try {
          context.ungetService(own);
        } catch (IllegalStateException e) {
          // the bundle has stopped, which released its services
        }
      };
    };
  }
}
