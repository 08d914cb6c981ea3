package roll.cluster.inference.pool;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.memory.SessionMemory;
import roll.api.scoring.Distributions;
import roll.api.strategy.AsyncCalls;
import roll.api.strategy.EngineLoad;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.InferSession;
import roll.api.strategy.ReadableWeights;
import roll.api.strategy.Scores;
import roll.api.strategy.SessionConfig;
import roll.api.strategy.TokenBatch;
import roll.api.strategy.WeightsHandle;
import roll.batching.Cutting;
import roll.batching.SharedPrefixes;
import roll.cluster.inference.weights.PublishedWeights;
import roll.cluster.inference.weights.WeightChannel;

/**
 * Session over the engines of this process and of other nodes.
 *
 * <p>With continuous batching each request is a task of its own. Otherwise, as in synchronous runs,
 * calls are divided into {@link RequestPartitioner} of {@code infer_batch_size} requests, so that
 * the batches depend on the data and not on the number of nodes.
 */
final class PooledInferSession implements InferSession {
  private static final int ROOM_OF_PARTS = 1;
  private static final int ROOM_OF_REQUESTS = 64;

  private final SessionConfig config;
  private final EnginePool pool;
  private final WeightChannel channel;
  private final RemoteEngines remote;
  private final @Nullable InferSession local;
  private final boolean single;
  private final RequestPartitioner partitions;
  private @Nullable PublishedWeights current;
  private double copied;

  /**
   * Creates a pool with {@code local}; null if only other nodes have the strategy.
   *
   * @param continuous whether engines batch continuously
   * @param channel of the weights of other nodes
   * @param remote adds their engines
   */
  PooledInferSession(
      SessionConfig config,
      String self,
      @Nullable InferSession local,
      boolean continuous,
      EnginePool pool,
      WeightChannel channel,
      RemoteEngines remote) {
    this.config = config;
    this.local = local;
    this.single = continuous;
    this.pool = pool;
    this.channel = channel;
    this.remote = remote;
    this.partitions = new RequestPartitioner(pool, Math.max(1, config.worker().inferBatchSize()));
    if (local != null) {
      pool.join(PoolEngine.local(self, local), room(), true);
    }
    remote.open(this::admit);
  }

  private int room() {
    return single ? ROOM_OF_REQUESTS : ROOM_OF_PARTS;
  }

  /** Adds an engine, which gets requests when it has the weights. */
  private synchronized CompletableFuture<Void> admit(PoolEngine engine) {
    EngineCommandQueue queue = engine.queue();
    pool.join(engine, room(), current == null);
    return current == null || queue == null
        ? CompletableFuture.completedFuture(null)
        : queue.weights(current);
  }

  @Override
  public boolean continuous() {
    return single;
  }

  @Override
  public CompletableFuture<List<Generation>> generate(List<GenerationRequest> requests) {
    if (!single) {
      return partitions.generate(requests);
    }
    List<CompletableFuture<List<Generation>>> parts = new ArrayList<>();
    for (GenerationRequest request : requests) {
      List<GenerationRequest> part = List.of(request);
      parts.add(
          pool.submit(
              engine -> AsyncCalls.then(engine.session().generate(part), engine::counted),
              EnginePool.cost(part),
              PromptHashes.of(request.prompt(), request.pictures())));
    }
    return Futures.all(parts, found -> found.stream().flatMap(List::stream).toList());
  }

  /** Returns the mean use of the engines, and the sums of what waits and was preempted. */
  @Override
  public CompletableFuture<EngineLoad> load() {
    return Futures.all(
        pool.engines().stream().map(PoolEngine::load).toList(),
        loads ->
            new EngineLoad(
                loads.stream().mapToDouble(EngineLoad::use).average().orElse(0),
                loads.stream().mapToInt(EngineLoad::waiting).sum(),
                loads.stream().mapToLong(EngineLoad::preemptions).sum()));
  }

  @Override
  public CompletableFuture<Scores> score(TokenBatch batch) {
    Cutting plain = Cutting.frozen(config.worker(), config.sequenceLength());
    List<int[]> samples = SharedPrefixes.dividing(plain, config.worker()).parts(batch);
    List<CompletableFuture<Scores>> parts = new ArrayList<>();
    for (int[] numbers : samples) {
      TokenBatch part = batch.select(numbers);
      parts.add(
          pool.submit(
              engine -> engine.session().score(part), part.tokens().length, PromptHashes.NONE));
    }
    return Futures.all(parts, scores -> ScoreMerge.join(batch, samples, scores));
  }

  /** Returns the distributions of the engine of this process. */
  @Override
  public Distributions distributions() {
    return local == null ? InferSession.super.distributions() : local.distributions();
  }

  /**
   * Updates all engines to {@code weights}; nodes pull a copy that is made before this returns.
   * Completes when the engine of this process has them; the others get requests when they have
   * them, too.
   */
  @Override
  public CompletableFuture<Void> update(WeightsHandle weights) {
    long begun = System.nanoTime();
    PublishedWeights published =
        weights instanceof ReadableWeights readable
            ? channel.publish(readable, config.worker().model().dtype() == Dtype.BF16)
            : null;
    double seconds = (System.nanoTime() - begun) * 1e-9;
    boolean remote = weights instanceof ReadableWeights readable && readable.remote();
    WeightsHandle here = published != null && remote ? published.copy() : weights;
    synchronized (this) {
      copied = seconds;
      current = published;
      pool.newWeights();
      partitions.end();
      return submit(
          session -> session.update(here),
          queue -> queue.weights(published == null ? weights : published));
    }
  }

  /**
   * Submits a call to all engines. The result completes with the engine of this process; without
   * one, with the first that completes.
   */
  private CompletableFuture<Void> submit(
      Function<InferSession, CompletableFuture<Void>> here,
      Function<EngineCommandQueue, CompletableFuture<Void>> elsewhere) {
    List<CompletableFuture<Void>> told = new ArrayList<>();
    for (PoolEngine engine : pool.engines()) {
      EngineCommandQueue queue = engine.queue();
      if (queue != null) {
        told.add(elsewhere.apply(queue));
      }
    }
    return local == null ? Futures.first(told) : here.apply(local);
  }

  @Override
  public CompletableFuture<Void> sleep() {
    partitions.end();
    return submit(InferSession::sleep, queue -> queue.submit(InferSession::sleep));
  }

  @Override
  public CompletableFuture<Void> wake() {
    return submit(InferSession::wake, queue -> queue.submit(InferSession::wake));
  }

  /**
   * Returns the metrics of all engines, for equal names the maximum if they end in {@code _max} and
   * otherwise the mean, and the work of each node since the last call.
   */
  @Override
  public Map<String, Double> metrics() {
    Map<String, Double> metrics = new LinkedHashMap<>();
    Map<String, Integer> counts = new LinkedHashMap<>();
    List<PoolEngine> engines = pool.engines();
    for (PoolEngine engine : engines) {
      engine
          .metrics()
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
    synchronized (this) {
      metrics.put("cluster/weights_copied", copied);
    }
    return metrics;
  }

  /** Returns the memory of this process alone: other nodes have other devices. */
  @Override
  public List<SessionMemory> peakMemory() {
    return local == null ? List.of() : local.peakMemory();
  }

  @Override
  public void close() {
    remote.close();
    channel.close();
    if (local != null) {
      local.close();
    }
  }
}
