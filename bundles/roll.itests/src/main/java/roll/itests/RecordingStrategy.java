package roll.itests;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import roll.api.config.WorkerConfig;
import roll.api.option.Option;
import roll.api.strategy.AsyncCalls;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.InferSession;
import roll.api.strategy.InferStrategy;
import roll.api.strategy.Scores;
import roll.api.strategy.SessionConfig;
import roll.api.strategy.TokenBatch;
import roll.api.strategy.WeightsHandle;

/**
 * The strategy {@code listening}: generates like hf_infer, requests one call per request, holds a
 * resource, and records its calls.
 */
final class RecordingStrategy implements InferStrategy, AutoCloseable {
  private static final Option<Integer> LOUDNESS =
      Option.integer("loudness", 0, 11, "has no effect, as all can hear").withDefault(0);

  private final InferStrategy strategy;
  private final RegisteredService registration;
  private final List<String> asked = new ArrayList<>();
  private final List<Integer> calls = new ArrayList<>();
  private final boolean alone;

  /** Registers the strategy until it is closed; synchronous runs send all requests in one call. */
  RecordingStrategy() throws Exception {
    this(false);
  }

  /**
   * Registers the strategy until it is closed.
   *
   * @param alone whether synchronous runs also send each request in its own call
   */
  RecordingStrategy(boolean alone) throws Exception {
    this.alone = alone;
    strategy = SmallRuns.service(InferStrategy.class, "(roll.strategy=hf_infer)");
    registration =
        RegisteredService.of(InferStrategy.class, this, "roll.strategy", "listening", "hearing");
  }

  /** Returns the recorded calls in order, without repetitions. */
  synchronized List<String> asked() {
    return List.copyOf(asked);
  }

  /** Returns the number of requests in each call. */
  synchronized List<Integer> calls() {
    return List.copyOf(calls);
  }

  private synchronized void hear(String what) {
    if (asked.isEmpty() || !asked.getLast().equals(what)) {
      asked.add(what);
    }
  }

  private synchronized void hear(List<GenerationRequest> requests) {
    hear("generate");
    calls.add(requests.size());
  }

  @Override
  public List<Option<?>> options() {
    return List.of(LOUDNESS);
  }

  @Override
  public List<String> notices(WorkerConfig worker) {
    return worker.strategyOptions().checked(options()).get(LOUDNESS) == 0
        ? List.of()
        : List.of(worker.role() + ": loudness has no effect");
  }

  @Override
  public boolean continuous(WorkerConfig worker) {
    return true;
  }

  @Override
  public boolean continuous(WorkerConfig worker, boolean synchronous) {
    return alone || !synchronous;
  }

  @Override
  public boolean sleeps(WorkerConfig worker) {
    return true;
  }

  @Override
  public InferSession open(SessionConfig config) {
    return new RecordingSession(strategy.open(config));
  }

  @Override
  public void close() {
    registration.close();
  }

  /** A session that records its calls. */
  private final class RecordingSession implements InferSession {
    private final InferSession session;
    private final LongAdder tokens = new LongAdder();

    RecordingSession(InferSession session) {
      this.session = session;
    }

    @Override
    public CompletableFuture<List<Generation>> generate(List<GenerationRequest> requests) {
      hear(requests);
      return AsyncCalls.then(
          session.generate(requests),
          written -> {
            written.forEach(response -> tokens.add(response.tokens().length));
            return written;
          });
    }

    @Override
    public CompletableFuture<Scores> score(TokenBatch batch) {
      return session.score(batch);
    }

    @Override
    public CompletableFuture<Void> update(WeightsHandle weights) {
      hear("update");
      return session.update(weights);
    }

    @Override
    public CompletableFuture<Void> sleep() {
      hear("sleep");
      return session.sleep();
    }

    @Override
    public CompletableFuture<Void> wake() {
      hear("wake");
      return session.wake();
    }

    @Override
    public Map<String, Double> metrics() {
      hear("measure");
      return Map.of("listening/tokens", (double) tokens.sumThenReset());
    }

    @Override
    public void close() {
      session.close();
    }
  }
}
