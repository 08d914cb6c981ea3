package roll.cluster.inference.pool;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.memory.DeviceMemory;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.InferSession;
import roll.api.strategy.ReadableWeights;
import roll.api.strategy.Scores;
import roll.api.strategy.SessionConfig;
import roll.api.strategy.TokenBatch;
import roll.api.strategy.Weights;
import roll.batching.Cutting;
import roll.cluster.NodeLostException;
import roll.cluster.inference.weights.WeightImage;

/**
 * The session of this process and those of other nodes as one.
 *
 * <p>Requests of an engine that batches continuously go one by one. Otherwise, and in synchronous
 * runs always, a call is cut into parts of {@code infer_batch_size} requests in their order, so
 * that what is computed together follows from the data and not from the nodes there are.
 */
final class PooledInferSession implements InferSession {
  /** Tokens scored at once, where the configuration does not say. */
  private static final int SCORED = 4096;

  private static final int ROOM_OF_PARTS = 1;
  private static final int ROOM_OF_REQUESTS = 64;

  private final SessionConfig config;
  private final EnginePool pool;
  private final RemoteEngines remote;
  private final @Nullable InferSession local;
  private final boolean single;
  private volatile @Nullable WeightImage current;

  /**
   * A pool that begins with {@code local}; null where the strategy is on other nodes only.
   *
   * @param continuous whether requests join and leave while others run
   * @param remote brings the engines of other nodes
   */
  PooledInferSession(
      SessionConfig config,
      String self,
      @Nullable InferSession local,
      boolean continuous,
      EnginePool pool,
      RemoteEngines remote) {
    this.config = config;
    this.local = local;
    this.single = continuous && !config.synchronous();
    this.pool = pool;
    this.remote = remote;
    if (local != null) {
      pool.join(new PoolEngine(self, local, null), room());
    }
    remote.open(this::admit);
  }

  private int room() {
    return single ? ROOM_OF_REQUESTS : ROOM_OF_PARTS;
  }

  /** Gives a new engine the weights of the others; then it takes part. */
  private void admit(PoolEngine engine) {
    WeightImage given = null;
    while (true) {
      WeightImage now = current;
      if (now != null && !now.equals(given)) {
        engine.session().update(now).join();
        given = now;
      }
      synchronized (this) {
        if (Objects.equals(current, given)) {
          pool.join(engine, room());
          return;
        }
      }
    }
  }

  @Override
  public boolean continuous() {
    return single;
  }

  @Override
  public CompletableFuture<List<Generation>> generate(List<GenerationRequest> requests) {
    int size = single ? 1 : Math.max(1, config.worker().inferBatchSize());
    List<CompletableFuture<List<Generation>>> parts = new ArrayList<>();
    for (int first = 0; first < requests.size(); first += size) {
      List<GenerationRequest> part =
          List.copyOf(requests.subList(first, Math.min(first + size, requests.size())));
      long cost =
          part.stream().mapToLong(r -> r.prompt().length + r.sampling().maxNewTokens()).sum();
      parts.add(
          pool.submit(
              session -> session.generate(part).thenApply(done -> count(session, done)),
              cost,
              PrefixIndex.hashes(part.getFirst().prompt())));
    }
    return together(parts, found -> found.stream().flatMap(List::stream).toList());
  }

  private List<Generation> count(InferSession session, List<Generation> written) {
    for (PoolEngine engine : pool.engines()) {
      if (engine.session() == session) {
        engine.requests().addAndGet(written.size());
        engine.tokens().addAndGet(written.stream().mapToLong(g -> g.tokens().length).sum());
      }
    }
    return written;
  }

  @Override
  public CompletableFuture<Scores> score(TokenBatch batch) {
    int most = Math.max(SCORED, config.sequenceLength());
    List<int[]> samples = Cutting.scoring(config.worker(), new Cutting.Tokens(most)).parts(batch);
    List<CompletableFuture<Scores>> parts = new ArrayList<>();
    for (int[] numbers : samples) {
      TokenBatch part = ScoreParts.select(batch, numbers);
      parts.add(pool.submit(s -> s.score(part), part.tokens().length, new long[0]));
    }
    return together(parts, scores -> ScoreParts.join(batch, samples, scores));
  }

  /** All results in their order; canceling it cancels all, and so does a failure of one. */
  private static <T, R> CompletableFuture<R> together(
      List<CompletableFuture<T>> parts, Function<List<T>, R> how) {
    CompletableFuture<R> all =
        CompletableFuture.allOf(parts.toArray(CompletableFuture[]::new))
            .thenApply(_ -> how.apply(parts.stream().map(CompletableFuture::join).toList()));
    parts.forEach(
        part -> {
          var unused =
              part.exceptionally(
                  failure -> {
                    all.completeExceptionally(failure);
                    throw new CompletionException(failure);
                  });
        });
    var unused =
        all.whenComplete(
            (_, failure) -> {
              if (failure != null) {
                parts.forEach(part -> part.cancel(true));
              }
            });
    return all;
  }

  /** All engines go over to {@code weights}; nodes pull a copy that is made before this returns. */
  @Override
  public CompletableFuture<Void> update(Weights weights) {
    WeightImage image =
        weights instanceof ReadableWeights readable
            ? WeightImage.copy(readable, config.worker().model().dtype() == Dtype.BF16)
            : null;
    List<PoolEngine> engines;
    synchronized (this) {
      current = image;
      engines = pool.engines();
    }
    pool.newWeights();
    return all(
        engines, session -> session.update(session == local || image == null ? weights : image));
  }

  /** Asks all engines; one that is lost meanwhile is left out. */
  private CompletableFuture<Void> all(
      List<PoolEngine> engines, Function<InferSession, CompletableFuture<Void>> work) {
    List<CompletableFuture<Void>> asked = new ArrayList<>();
    for (PoolEngine engine : engines) {
      asked.add(
          work.apply(engine.session())
              .exceptionallyCompose(
                  failure -> {
                    Throwable cause = failure.getCause() == null ? failure : failure.getCause();
                    if (engine.strategy() == null || !(cause instanceof NodeLostException)) {
                      return CompletableFuture.failedFuture(failure);
                    }
                    pool.leave(engine.id(), "was lost");
                    return CompletableFuture.completedFuture(null);
                  }));
    }
    return CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new));
  }

  @Override
  public CompletableFuture<Void> sleep() {
    return all(pool.engines(), InferSession::sleep);
  }

  @Override
  public CompletableFuture<Void> wake() {
    return all(pool.engines(), InferSession::wake);
  }

  /**
   * Those of all engines, of equal names the greatest where it ends in {@code _max}, otherwise the
   * mean; and what each node did.
   */
  @Override
  public Map<String, Double> metrics() {
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

  /** Of this process alone: other nodes have other devices. */
  @Override
  public List<DeviceMemory> held() {
    return local == null ? List.of() : local.held();
  }

  @Override
  public void close() {
    remote.close();
    if (local != null) {
      local.close();
    }
  }
}
