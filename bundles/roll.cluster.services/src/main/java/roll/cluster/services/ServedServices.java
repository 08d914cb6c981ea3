package roll.cluster.services;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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

/**
 * The services of one contract that this node offers to others: all of its own, and none that it
 * has from others. Can be used by all threads.
 *
 * @param <S> the contract
 */
public final class ServedServices<S> implements AutoCloseable {
  private record Served<S>(ServiceOffer offer, S service) {}

  private final String kind;
  private final Function<Bundle, String> digests;
  private final Map<Long, Served<S>> served = new TreeMap<>();
  private final ServiceTracker<S, Long> tracker;

  /**
   * Those there are, and that come.
   *
   * @param kind the service property that has their names
   * @param digests of bundles, as {@link ServiceOffer#digest} has them
   * @param changed when one came
   * @param leaving when one goes, before it does, with its number; it goes when this returns
   */
  public ServedServices(
      BundleContext context,
      Class<S> type,
      String kind,
      Function<Bundle, String> digests,
      Runnable changed,
      LongConsumer leaving) {
    this.kind = kind;
    this.digests = digests;
    this.tracker =
        new ServiceTracker<>(
            context,
            filter(type, kind),
            new ServiceTrackerCustomizer<>() {
              @Override
              public @Nullable Long addingService(ServiceReference<S> reference) {
                S service = context.getService(reference);
                if (service == null) {
                  return null;
                }
                ServiceOffer offer = offer(reference);
                put(offer.number(), new Served<>(offer, service));
                changed.run();
                return offer.number();
              }

              @Override
              public void modifiedService(ServiceReference<S> reference, Long number) {}

              @Override
              public void removedService(ServiceReference<S> reference, Long number) {
                put(number, null);
                leaving.accept(number);
                context.ungetService(reference);
              }
            });
    tracker.open();
  }

  private static Filter filter(Class<?> type, String kind) {
    try {
      return FrameworkUtil.createFilter(
          "(&(objectClass=%s)(%s=*)(!(%s=*)))"
              .formatted(type.getName(), kind, Constants.SERVICE_IMPORTED));
    } catch (InvalidSyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private ServiceOffer offer(ServiceReference<?> reference) {
    List<String> names =
        switch (reference.getProperty(kind)) {
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

  private synchronized void put(long number, @Nullable Served<S> service) {
    if (service == null) {
      served.remove(number);
    } else {
      served.put(number, service);
    }
  }

  /** What is offered now. */
  public synchronized List<ServiceOffer> offers() {
    return new ArrayList<>(served.values()).stream().map(Served::offer).toList();
  }

  /**
   * The service with that number.
   *
   * @throws IllegalStateException if there is none, or none any more
   */
  public synchronized S get(long number) {
    Served<S> service = served.get(number);
    if (service == null) {
      throw new IllegalStateException("the " + kind + " is not there any more");
    }
    return service.service;
  }

  /** Offers none any more. */
  @Override
  public void close() {
    tracker.close();
  }
}
