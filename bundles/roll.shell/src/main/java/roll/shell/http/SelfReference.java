package roll.shell.http;

import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceReference;
import org.osgi.service.component.ComponentContext;

/**
 * A component as a user of its own service. One that is made when it is first needed goes again as
 * soon as nobody uses it, and who calls a Gogo command uses it for the time of the call: what goes
 * on longer has to be a user itself.
 */
public interface SelfReference {
  /** Where no framework could take the component away. */
  SelfReference NONE = () -> () -> {};

  /** One use more; what it gives ends that, and with the last one of all the component may go. */
  Runnable begin();

  /** That of the component of {@code component}. */
  static SelfReference of(ComponentContext component) {
    return () -> {
      BundleContext context = component.getBundleContext();
      ServiceReference<?> own = component.getServiceReference();
      var unused = context.getService(own);
      return () -> {
        try {
          context.ungetService(own);
        } catch (IllegalStateException e) {
          // the bundle has stopped, and with that it uses nothing
        }
      };
    };
  }
}
