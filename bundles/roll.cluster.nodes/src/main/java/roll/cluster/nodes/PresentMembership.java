package roll.cluster.nodes;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.osgi.annotation.bundle.Capability;
import org.osgi.framework.BundleContext;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.ServiceRegistration;
import roll.cluster.Membership;
import roll.runtime.nodes.NodeConsole;

/**
 * The membership of this process while it has one: a service, for all that works over it, beside
 * one that tells the user what happens.
 */
@Capability(
    namespace = "osgi.service",
    attribute =
        "objectClass:List<String>=\"roll.cluster.Membership,roll.runtime.nodes.NodeConsole\"")
final class PresentMembership {
  private final @Nullable BundleContext context;
  private @Nullable Membership membership;
  private @Nullable ServiceRegistration<Membership> registration;
  private @Nullable ServiceRegistration<NodeConsole> console;

  /** None yet; it is no service where there is no framework. */
  PresentMembership(@Nullable BundleContext context) {
    this.context = context;
  }

  synchronized @Nullable Membership get() {
    return membership;
  }

  /**
   * Takes the place of the one before.
   *
   * @param plain whether it was asked for that everything may be read on its way
   * @param say receives lines for the user of this node
   */
  synchronized void set(Membership next, boolean plain, NodeConsole say) {
    clear();
    membership = next;
    if (context != null) {
      next.handle(FactSheets.TOPIC, FactSheets.handler(context));
      console = context.registerService(NodeConsole.class, say, null);
      registration =
          context.registerService(
              Membership.class,
              next,
              FrameworkUtil.asDictionary(
                  Map.of("roll.node", next.self().name(), "roll.plain", plain)));
    }
  }

  /** There is none any more, if it is {@code last}. */
  synchronized void end(Membership last) {
    if (last.equals(membership)) {
      clear();
    }
  }

  /** There is none any more. */
  synchronized void clear() {
    if (registration != null) {
      registration.unregister();
      registration = null;
    }
    if (console != null) {
      console.unregister();
      console = null;
    }
    membership = null;
  }
}
