package roll.cluster.inference.server;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.framework.Filter;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;
import org.osgi.util.tracker.ServiceTracker;
import org.osgi.util.tracker.ServiceTrackerCustomizer;
import roll.api.strategy.InferStrategy;
import roll.cluster.inference.codec.StrategyOffer;

/** The strategies of this node, except for those that it has from others. */
final class ServedStrategies implements AutoCloseable {
  private static final String NAME = "roll.strategy";

  private record Served(StrategyOffer offer, InferStrategy strategy) {}

  private final Map<Long, Served> served = new TreeMap<>();
  private final ServiceTracker<InferStrategy, Long> tracker;

  /**
   * Those there are, and that come.
   *
   * @param changed when one came
   * @param leaving when one goes, before it does, with its number; it goes when this returns
   */
  ServedStrategies(BundleContext context, Runnable changed, LongConsumer leaving) {
    this.tracker =
        new ServiceTracker<>(
            context,
            filter(),
            new ServiceTrackerCustomizer<>() {
              @Override
              public @Nullable Long addingService(ServiceReference<InferStrategy> reference) {
                InferStrategy strategy = context.getService(reference);
                if (strategy == null) {
                  return null;
                }
                StrategyOffer offer = offer(reference);
                put(offer.number(), new Served(offer, strategy));
                changed.run();
                return offer.number();
              }

              @Override
              public void modifiedService(ServiceReference<InferStrategy> reference, Long number) {}

              @Override
              public void removedService(ServiceReference<InferStrategy> reference, Long number) {
                put(number, null);
                leaving.accept(number);
                context.ungetService(reference);
              }
            });
    tracker.open();
  }

  private static Filter filter() {
    try {
      return FrameworkUtil.createFilter(
          "(&(objectClass="
              + InferStrategy.class.getName()
              + ")("
              + NAME
              + "=*)(!("
              + Constants.SERVICE_IMPORTED
              + "=*)))");
    } catch (InvalidSyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static StrategyOffer offer(ServiceReference<?> reference) {
    List<String> names =
        switch (reference.getProperty(NAME)) {
          case String name -> List.of(name);
          case String[] several -> List.of(several);
          case Collection<?> several -> several.stream().map(String::valueOf).toList();
          default -> List.of();
        };
    return new StrategyOffer(
        (Long) reference.getProperty(Constants.SERVICE_ID),
        names,
        reference.getBundle().getSymbolicName() + " " + reference.getBundle().getVersion());
  }

  private synchronized void put(long number, @Nullable Served strategy) {
    if (strategy == null) {
      served.remove(number);
    } else {
      served.put(number, strategy);
    }
  }

  /** What is offered now. */
  synchronized List<StrategyOffer> offers() {
    return new ArrayList<>(served.values()).stream().map(Served::offer).toList();
  }

  /**
   * The strategy with that number.
   *
   * @throws IllegalStateException if there is none, or none any more
   */
  synchronized InferStrategy get(long number) {
    Served strategy = served.get(number);
    if (strategy == null) {
      throw new IllegalStateException("the strategy is not there any more");
    }
    return strategy.strategy;
  }

  @Override
  public void close() {
    tracker.close();
  }
}
