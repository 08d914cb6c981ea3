package roll.cluster.inference.pool;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import roll.api.strategy.Generation;
import roll.api.strategy.InferSession;

/**
 * What the engines of a pool did.
 *
 * @param pool of these
 */
record PooledCounts(EnginePool pool) {
  /** Counts what {@code session} wrote, which is returned. */
  List<Generation> count(InferSession session, List<Generation> written) {
    for (PoolEngine engine : pool.engines()) {
      if (engine.session() == session) {
        engine.requests().addAndGet(written.size());
        engine.tokens().addAndGet(written.stream().mapToLong(g -> g.tokens().length).sum());
      }
    }
    return written;
  }

  /**
   * Those of all engines, of equal names the greatest where it ends in {@code _max}, otherwise the
   * mean; and what each node did since this was last asked.
   */
  Map<String, Double> metrics() {
    Map<String, Double> metrics = new LinkedHashMap<>();
    Map<String, Integer> counts = new LinkedHashMap<>();
    List<PoolEngine> engines = pool.engines();
    for (PoolEngine engine : engines) {
      RemoteEngines.metrics(engine)
          .forEach(
              (name, value) -> {
                metrics.merge(name, value, name.endsWith("_max") ? Math::max : Double::sum);
                counts.merge(name, name.endsWith("_max") ? 0 : 1, Integer::sum);
              });
    }
    metrics.replaceAll((name, value) -> value / Math.max(1, counts.getOrDefault(name, 1)));
    for (PoolEngine engine : engines) {
      String prefix = "cluster/" + engine.name() + "/";
      metrics.put(prefix + "requests", (double) engine.requests().getAndSet(0));
      metrics.put(prefix + "tokens", (double) engine.tokens().getAndSet(0));
    }
    metrics.put("cluster/engines", (double) engines.size());
    metrics.put("cluster/reissued", (double) pool.reissued());
    return metrics;
  }
}
