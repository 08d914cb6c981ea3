package roll.cluster.nodes;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.osgi.annotation.bundle.Capability;
import org.osgi.framework.BundleContext;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.ServiceRegistration;
import roll.cluster.Membership;

/** The membership of this process while it has one: a service, for all that works over it. */
@Capability(
    namespace = "osgi.service",
    attribute = "objectClass:List<String>=roll.cluster.Membership")
final class PresentMembership {
  private final @Nullable BundleContext context;
  private @Nullable Membership membership;
  private @Nullable ServiceRegistration<Membership> registration;

  /** None yet; it is no service where there is no framework. */
  PresentMembership(@Nullable BundleContext context) {
    this.context = context;
  }

  synchronized @Nullable Membership get() {
    return membership;
  }

  /** Takes the place of the one before. */
  void set(@Nullable Membership next) {
    set(next, false);
  }

  /**
   * The same.
   *
   * @param plain whether it was asked for that everything may be read on its way
   */
  synchronized void set(@Nullable Membership next, boolean plain) {
    if (registration != null) {
      registration.unregister();
      registration = null;
    }
    membership = next;
    if (next != null && context != null) {
      next.handle(FactSheets.TOPIC, FactSheets.handler(context));
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
      set(null);
    }
  }
}
