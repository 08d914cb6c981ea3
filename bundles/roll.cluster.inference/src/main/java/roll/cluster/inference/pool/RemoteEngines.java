package roll.cluster.inference.pool;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.BundleContext;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;
import org.osgi.util.tracker.ServiceTracker;
import org.osgi.util.tracker.ServiceTrackerCustomizer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import roll.api.strategy.InferStrategy;
import roll.api.strategy.SessionConfig;
import roll.cluster.Membership;
import roll.cluster.inference.remote.RemoteInferSession;
import roll.cluster.inference.remote.RemoteStrategy;
import roll.cluster.inference.weights.WeightChannel;

/** Opens a session on each node whose strategy is a service here, and sees it go. */
final class RemoteEngines implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RemoteEngines.class);
  private static final String IMPORTED =
      "(&(objectClass=" + InferStrategy.class.getName() + ")(service.imported=*))";

  private final BundleContext context;
  private final Membership membership;
  private final SessionConfig config;
  private final boolean continuous;
  private final EnginePool pool;
  private final WeightChannel channel;
  private final Consumer<String> notices;
  private final Map<RemoteStrategy, RemoteInferSession> sessions = new ConcurrentHashMap<>();
  private @Nullable ServiceTracker<InferStrategy, RemoteStrategy> tracker;
  private volatile boolean closed;

  /**
   * Those of the strategy and role of {@code config}.
   *
   * @param continuous what the strategy of that name says
   * @param channel of their weights
   */
  RemoteEngines(
      BundleContext context,
      Membership membership,
      SessionConfig config,
      boolean continuous,
      EnginePool pool,
      WeightChannel channel,
      Consumer<String> notices) {
    this.context = context;
    this.membership = membership;
    this.config = config;
    this.continuous = continuous;
    this.pool = pool;
    this.channel = channel;
    this.notices = notices;
  }

  /**
   * Begins; sessions on the nodes that are there are opened before this returns.
   *
   * @param admit gives an engine its part; completes when it gets work
   */
  void open(Function<PoolEngine, CompletableFuture<Void>> admit) {
    ServiceTracker<InferStrategy, RemoteStrategy> opened;
    try {
      opened =
          new ServiceTracker<>(
              context,
              FrameworkUtil.createFilter(IMPORTED),
              new ServiceTrackerCustomizer<>() {
                @Override
                public @Nullable RemoteStrategy addingService(
                    ServiceReference<InferStrategy> reference) {
                  if (context.getService(reference) instanceof RemoteStrategy strategy
                      && strategy.plays(config.worker().role())
                      && strategy.named(config.worker().strategy())) {
                    come(strategy, admit);
                    return strategy;
                  }
                  context.ungetService(reference);
                  return null;
                }

                @Override
                public void modifiedService(
                    ServiceReference<InferStrategy> reference, RemoteStrategy strategy) {}

                @Override
                public void removedService(
                    ServiceReference<InferStrategy> reference, RemoteStrategy strategy) {
                  go(strategy);
                  context.ungetService(reference);
                }
              });
    } catch (InvalidSyntaxException e) {
      throw new IllegalStateException(e);
    }
    tracker = opened;
    opened.open();
  }

  /** A node that cannot open the session takes no part; the others do without it. */
  private void come(RemoteStrategy strategy, Function<PoolEngine, CompletableFuture<Void>> admit) {
    String role = config.worker().role();
    try {
      RemoteInferSession session = strategy.open(config, continuous, channel);
      sessions.put(strategy, session);
      var unused =
          admit
              .apply(PoolEngine.remote(strategy, role, session, pool))
              .thenRun(() -> notices.accept("node " + strategy.member() + " joined " + role));
    } catch (RuntimeException e) {
      LOG.warn("{} cannot play {}", strategy.member(), role, e);
      notices.accept("node " + strategy.member() + " cannot play " + role + ": " + e.getMessage());
    }
  }

  private void go(RemoteStrategy strategy) {
    RemoteInferSession session = sessions.remove(strategy);
    if (closed) {
      return;
    }
    if (session != null) {
      session.leaveChannel();
    }
    if (membership.members().contains(strategy.member())) {
      pool.drain(PoolEngine.id(strategy));
    } else {
      pool.leave(PoolEngine.id(strategy), "was lost");
    }
  }

  /** What an engine says of itself; nothing where its node is being lost. */
  static Map<String, Double> metrics(PoolEngine engine) {
    try {
      return engine.session().metrics();
    } catch (RuntimeException e) {
      if (engine.strategy() == null) {
        throw e;
      }
      LOG.debug("no metrics of {}", engine.name(), e);
      return Map.of();
    }
  }

  /** Closes the sessions. */
  @Override
  public void close() {
    closed = true;
    sessions.values().forEach(RemoteInferSession::close);
    ServiceTracker<InferStrategy, RemoteStrategy> opened = tracker;
    if (opened != null) {
      opened.close();
    }
  }
}
