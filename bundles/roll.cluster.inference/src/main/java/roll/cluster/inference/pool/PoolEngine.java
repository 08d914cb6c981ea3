package roll.cluster.inference.pool;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import roll.api.strategy.EngineLoad;
import roll.api.strategy.Generation;
import roll.api.strategy.InferSession;
import roll.cluster.inference.RemoteStrategy;

/**
 * Engine of a pool with its counters.
 *
 * @param name of its node
 * @param session of the engine
 * @param strategy of the other node; null for the session of this process
 * @param queue queue of updates of another node; null for the session of this process
 * @param requests answered since the last call of metrics
 * @param tokens generated since then
 */
record PoolEngine(
    String name,
    InferSession session,
    @Nullable RemoteStrategy strategy,
    @Nullable EngineCommandQueue queue,
    AtomicLong requests,
    AtomicLong tokens) {
  private static final Logger LOG = LoggerFactory.getLogger(PoolEngine.class);

  /** Returns the engine of this process. */
  static PoolEngine local(String name, InferSession session) {
    return new PoolEngine(name, session, null, null, new AtomicLong(), new AtomicLong());
  }

  /** Returns the engine of another node, for {@code role}. */
  static PoolEngine remote(
      RemoteStrategy strategy, String role, InferSession session, EnginePool pool) {
    return new PoolEngine(
        strategy.member().name(),
        session,
        strategy,
        new EngineCommandQueue(
            id(strategy), session, pool, version -> strategy.newest(role, version)),
        new AtomicLong(),
        new AtomicLong());
  }

  /** Counts responses of this engine, and returns them. */
  List<Generation> counted(List<Generation> written) {
    requests.addAndGet(written.size());
    tokens.addAndGet(written.stream().mapToLong(each -> each.tokens().length).sum());
    return written;
  }

  /** Returns the load of the session, which is full if its node is being lost. */
  CompletableFuture<EngineLoad> load() {
    return session.load().exceptionally(_ -> new EngineLoad(1, 0, 0));
  }

  /** Returns the metrics of the session; none if its node is being lost. */
  Map<String, Double> metrics() {
    try {
      return session.metrics();
    } catch (RuntimeException e) {
      if (strategy == null) {
        throw e;
      }
      LOG.debug("no metrics of {}", name, e);
      return Map.of();
    }
  }

  /** Returns a unique id: a node that joins again gets another one. */
  String id() {
    return strategy == null ? name : id(strategy);
  }

  /** Returns the id of the engine of {@code strategy}. */
  static String id(RemoteStrategy strategy) {
    return strategy.member().name() + "/" + strategy.member().uid();
  }
}
