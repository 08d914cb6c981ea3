package roll.cluster.inference.pool;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import roll.api.strategy.InferStrategy;
import roll.api.strategy.SessionConfig;
import roll.cluster.Membership;
import roll.cluster.Registration;
import roll.cluster.inference.RemoteInferSession;
import roll.cluster.inference.RemoteStrategy;
import roll.cluster.inference.weights.WeightChannel;
import roll.cluster.services.ImportedServices;

/** Opens a session on each node that offers the strategy, and removes it when the node goes. */
final class RemoteEngines implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RemoteEngines.class);

  private final ImportedServices<InferStrategy, RemoteStrategy> strategies;
  private final Membership membership;
  private final SessionConfig config;
  private final boolean continuous;
  private final EnginePool pool;
  private final WeightChannel channel;
  private final Consumer<String> notices;
  private final Map<RemoteStrategy, RemoteInferSession> sessions = new ConcurrentHashMap<>();
  private @Nullable Registration following;
  private volatile boolean closed;

  /**
   * Creates the engines of the strategy and role of {@code config}.
   *
   * @param continuous whether they batch continuously
   * @param channel of their weights
   */
  RemoteEngines(
      ImportedServices<InferStrategy, RemoteStrategy> strategies,
      Membership membership,
      SessionConfig config,
      boolean continuous,
      EnginePool pool,
      WeightChannel channel,
      Consumer<String> notices) {
    this.strategies = strategies;
    this.membership = membership;
    this.config = config;
    this.continuous = continuous;
    this.pool = pool;
    this.channel = channel;
    this.notices = notices;
  }

  /**
   * Opens sessions on the present nodes before this returns, and on later ones.
   *
   * @param admit adds an engine to the pool; its future completes when the engine gets work
   */
  void open(Function<PoolEngine, CompletableFuture<Void>> admit) {
    following = strategies.follow(strategy -> add(strategy, admit), this::remove);
  }

  /** Opens a session; a node that cannot open it is left out with a notice. */
  private void add(RemoteStrategy strategy, Function<PoolEngine, CompletableFuture<Void>> admit) {
    String role = config.worker().role();
    if (!strategy.plays(role) || !strategy.named(config.worker().strategy())) {
      return;
    }
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

  private void remove(RemoteStrategy strategy) {
    RemoteInferSession session = sessions.remove(strategy);
    if (closed || session == null) {
      return;
    }
    session.leaveChannel();
    if (membership.members().contains(strategy.member())) {
      pool.drain(PoolEngine.id(strategy));
    } else {
      pool.leave(PoolEngine.id(strategy), "was lost");
    }
  }

  @Override
  public void close() {
    closed = true;
    sessions.values().forEach(RemoteInferSession::close);
    if (following != null) {
      following.close();
    }
  }
}
