package roll.cluster.services;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.framework.Filter;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;
import org.osgi.util.tracker.ServiceTracker;
import org.osgi.util.tracker.ServiceTrackerCustomizer;
import roll.cluster.Member;
import roll.cluster.Membership;
import roll.cluster.Registration;

/**
 * Services of one kind that this node offers to the first one: its own, not imported ones.
 * Thread-safe.
 *
 * @param <S> the service interface
 */
public final class OfferedServices<S> implements AutoCloseable {
  private record Offered<S>(ServiceOffer offer, S service) {}

  private final Membership membership;
  private final ServiceKind<S> kind;
  private final RemoteContract<ServiceOffers.Changes> changes;
  private final Function<Bundle, String> digests;
  private final Map<Long, Offered<S>> offered = new TreeMap<>();
  private final ServiceTracker<S, Long> tracker;
  private volatile @Nullable Registration registration;

  /**
   * Creates the offers, which begin with {@link #open}.
   *
   * @param digests returns {@link ServiceOffer#digest} of a bundle
   * @param leaving called with the number of a service before it goes, which waits for the call
   */
  public OfferedServices(
      BundleContext context,
      Membership membership,
      ServiceKind<S> kind,
      Function<Bundle, String> digests,
      LongConsumer leaving) {
    this.membership = membership;
    this.kind = kind;
    this.changes = kind.changes();
    this.digests = digests;
    this.tracker =
        new ServiceTracker<>(
            context,
            filter(kind),
            new ServiceTrackerCustomizer<>() {
              @Override
              public @Nullable Long addingService(ServiceReference<S> reference) {
                S service = context.getService(reference);
                if (service == null) {
                  return null;
                }
                ServiceOffer offer = offer(reference);
                put(offer.number(), new Offered<>(offer, service));
                changed();
                return offer.number();
              }

              @Override
              public void modifiedService(ServiceReference<S> reference, Long number) {}

              @Override
              public void removedService(ServiceReference<S> reference, Long number) {
                put(number, null);
                changed();
                leaving.accept(number);
                context.ungetService(reference);
              }
            });
  }

  /** Begins to offer services and notifies the first node, which may have asked for them before. */
  public void open() {
    registration =
        kind.offers().serve(membership, _ -> () -> CompletableFuture.completedFuture(offers()));
    tracker.open();
    changed();
  }

  private void changed() {
    List<Member> members = membership.members();
    if (!membership.ended().isDone() && !members.isEmpty()) {
      changes.of(membership, members.getFirst(), RemoteCalls.SHORT).changed();
    }
  }

  private static Filter filter(ServiceKind<?> kind) {
    try {
      return FrameworkUtil.createFilter(
          "(&(objectClass=%s)(%s=*)(!(%s=*)))"
              .formatted(kind.type().getName(), kind.property(), Constants.SERVICE_IMPORTED));
    } catch (InvalidSyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private ServiceOffer offer(ServiceReference<?> reference) {
    List<String> names =
        switch (reference.getProperty(kind.property())) {
          case String name -> List.of(name);
          case String[] several -> List.of(several);
          case Collection<?> several -> several.stream().map(String::valueOf).toList();
          default -> List.of();
        };
    Bundle bundle = reference.getBundle();
    return new ServiceOffer(
        (Long) reference.getProperty(Constants.SERVICE_ID),
        names,
        bundle.getSymbolicName() + " " + bundle.getVersion(),
        digests.apply(bundle));
  }

  private synchronized void put(long number, @Nullable Offered<S> service) {
    if (service == null) {
      offered.remove(number);
    } else {
      offered.put(number, service);
    }
  }

  private synchronized List<ServiceOffer> offers() {
    return new ArrayList<>(offered.values()).stream().map(Offered::offer).toList();
  }

  /**
   * Returns the service with that number.
   *
   * @throws IllegalStateException if it is gone
   */
  public synchronized S get(long number) {
    Offered<S> service = offered.get(number);
    if (service == null) {
      throw new IllegalStateException("the " + kind.property() + " is not there any more");
    }
    return service.service;
  }

  /** Ends all offers of services. */
  @Override
  public void close() {
    tracker.close();
    Registration answering = registration;
    if (answering != null) {
      answering.close();
    }
  }
}
