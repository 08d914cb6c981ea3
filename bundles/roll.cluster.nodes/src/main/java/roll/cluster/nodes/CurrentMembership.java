package roll.cluster.nodes;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.osgi.annotation.bundle.Capability;
import org.osgi.framework.BundleContext;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.ServiceRegistration;
import roll.cluster.Membership;
import roll.runtime.nodes.NodeConsole;

/**
 * Membership of this process while it has one. It is registered as a service, together with a
 * {@link NodeConsole} for messages to the user of this node.
 */
@Capability(
    namespace = "osgi.service",
    attribute =
        "objectClass:List<String>=\"roll.cluster.Membership,roll.runtime.nodes.NodeConsole\"")
final class CurrentMembership {
  private final @Nullable BundleContext context;
  private final List<ServiceRegistration<?>> services = new ArrayList<>();
  private @Nullable Membership membership;

  /** Without a context nothing is registered. */
  CurrentMembership(@Nullable BundleContext context) {
    this.context = context;
  }

  synchronized @Nullable Membership get() {
    return membership;
  }

  /**
   * Replaces the current membership.
   *
   * @param plain whether the user chose to run without TLS
   * @param console receives lines for the user of this node
   */
  synchronized void set(Membership next, boolean plain, NodeConsole console) {
    clear();
    membership = next;
    if (context != null) {
      services.add(context.registerService(NodeConsole.class, console, null));
      services.add(
          context.registerService(
              Membership.class,
              next,
              FrameworkUtil.asDictionary(
                  Map.of("roll.node", next.self().name(), "roll.plain", plain))));
    }
  }

  /** Clears the membership if it is {@code last}. */
  synchronized void clear(Membership last) {
    if (last.equals(membership)) {
      clear();
    }
  }

  /** Clears the current membership. */
  synchronized void clear() {
    services.reversed().forEach(ServiceRegistration::unregister);
    services.clear();
    membership = null;
  }
}
