package roll.cluster.inference.pool;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.memory.DeviceMemory;
import roll.api.strategy.Calls;
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
 * runs always, calls are shared out to {@link RequestLanes} of {@code infer_batch_size} requests,
 * so that what is computed together follows from the data and not from the nodes there are.
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
  private final PooledCounts counts;
  private final RequestLanes lanes;
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
    this.counts = new PooledCounts(pool);
    this.lanes = new RequestLanes(pool, counts, Math.max(1, config.worker().inferBatchSize()));
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
    if (!single) {
      return lanes.generate(requests);
    }
    List<CompletableFuture<List<Generation>>> parts = new ArrayList<>();
    for (GenerationRequest request : requests) {
      List<GenerationRequest> part = List.of(request);
      parts.add(
          pool.submit(
              session -> Calls.then(session.generate(part), done -> counts.count(session, done)),
              EnginePool.cost(part),
              PrefixIndex.hashes(request.prompt())));
    }
    return Together.all(parts, found -> found.stream().flatMap(List::stream).toList());
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
    return Together.all(parts, scores -> ScoreParts.join(batch, samples, scores));
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
    lanes.end();
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
    lanes.end();
    return all(pool.engines(), InferSession::sleep);
  }

  @Override
  public CompletableFuture<Void> wake() {
    return all(pool.engines(), InferSession::wake);
  }

  @Override
  public Map<String, Double> metrics() {
    return counts.metrics();
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
