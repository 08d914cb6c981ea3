package roll.itests;

import java.util.ArrayList;
import java.util.Dictionary;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.ServiceRegistration;
import roll.api.config.WorkerConfig;
import roll.api.option.Option;
import roll.api.strategy.Calls;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.InferSession;
import roll.api.strategy.InferStrategy;
import roll.api.strategy.Scores;
import roll.api.strategy.SessionConfig;
import roll.api.strategy.TokenBatch;
import roll.api.strategy.Weights;

/**
 * The strategy {@code listening}: writes as hf_infer does, but wants each request alone, has
 * something to free, counts what it wrote, and keeps in mind what it was asked.
 */
final class ListeningStrategy implements InferStrategy, AutoCloseable {
  private static final Option<Integer> LOUDNESS =
      Option.integer("loudness", 0, 11, "has no effect, as all can hear").withDefault(0);

  private final InferStrategy strategy;
  private final ServiceRegistration<?> registration;
  private final List<String> asked = new ArrayList<>();
  private final List<Integer> calls = new ArrayList<>();
  private final boolean alone;

  /** Registered until it is closed; synchronous runs send it all they have together. */
  ListeningStrategy() throws Exception {
    this(false);
  }

  /**
   * Registered until it is closed.
   *
   * @param alone whether it wants each request alone in synchronous runs too
   */
  ListeningStrategy(boolean alone) throws Exception {
    this.alone = alone;
    ServiceReference<InferStrategy> reference =
        Plugins.context()
            .getServiceReferences(InferStrategy.class, "(roll.strategy=hf_infer)")
            .iterator()
            .next();
    strategy = Objects.requireNonNull(Plugins.context().getService(reference));
    Dictionary<String, String[]> names =
        FrameworkUtil.asDictionary(Map.of("roll.strategy", new String[] {"listening", "hearing"}));
    registration = Plugins.context().registerService(InferStrategy.class, this, names);
  }

  /** What it was asked, in order; the same several times in a row counts once. */
  synchronized List<String> asked() {
    return List.copyOf(asked);
  }

  /** How many requests each call had. */
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
    return new Listening(strategy.open(config));
  }

  @Override
  public void close() {
    registration.unregister();
  }

  /** A session that is listened to. */
  private final class Listening implements InferSession {
    private final InferSession session;
    private final LongAdder tokens = new LongAdder();

    Listening(InferSession session) {
      this.session = session;
    }

    @Override
    public CompletableFuture<List<Generation>> generate(List<GenerationRequest> requests) {
      hear(requests);
      return Calls.then(
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
    public CompletableFuture<Void> update(Weights weights) {
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
