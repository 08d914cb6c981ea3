package roll.cluster.inference;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import roll.api.data.RandomStreams;
import roll.api.memory.MemoryKind;
import roll.api.memory.SessionMemory;
import roll.api.strategy.EngineLoad;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.InferSession;
import roll.api.strategy.InferStrategy;
import roll.api.strategy.ReadableWeights;
import roll.api.strategy.Scores;
import roll.api.strategy.SessionConfig;
import roll.api.strategy.TokenBatch;
import roll.api.strategy.WeightsHandle;
import roll.decoder.DecoderParameters;

/** A model whose words follow from prompt, pictures, seed and the sum of its weights alone. */
public final class SeededStrategy implements InferStrategy {
  private final long millis;
  final AtomicInteger open = new AtomicInteger();
  final AtomicInteger begun = new AtomicInteger();
  final AtomicInteger answered = new AtomicInteger();

  /** Runs when a call to generate begins. */
  Runnable beginning = begun::incrementAndGet;

  /** Whether updates fail. */
  public volatile boolean failing;

  /** Completes when sessions have gone over to weights that they were given. */
  volatile CompletableFuture<Void> updating = CompletableFuture.completedFuture(null);

  /** One that takes {@code millis} for a call to generate. */
  public SeededStrategy(long millis) {
    this.millis = millis;
  }

  @Override
  public InferSession open(SessionConfig config) {
    open.incrementAndGet();
    return new Session();
  }

  private final class Session implements InferSession {
    private volatile long version = -1;
    private volatile double sum;

    @Override
    public CompletableFuture<List<Generation>> generate(List<GenerationRequest> requests) {
      beginning.run();
      return CompletableFuture.supplyAsync(
          () -> {
            try {
              Thread.sleep(millis);
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
            answered.addAndGet(requests.size());
            return requests.stream().map(this::write).toList();
          },
          Thread::startVirtualThread);
    }

    private Generation write(GenerationRequest request) {
      long seed =
          RandomStreams.seed(
              request.seed(),
              "word",
              Arrays.hashCode(request.prompt()),
              request.pictures().hashCode(),
              Double.doubleToRawLongBits(sum));
      int[] tokens = RandomStreams.of(seed, "tokens").ints(5, 0, 100).toArray();
      double[] logProbs = RandomStreams.of(seed, "probs").doubles(5).map(Math::log).toArray();
      return new Generation(tokens, logProbs, logProbs, false, version);
    }

    @Override
    public CompletableFuture<EngineLoad> load() {
      return CompletableFuture.completedFuture(new EngineLoad(0.25, 2, 3));
    }

    @Override
    public CompletableFuture<Scores> score(TokenBatch batch) {
      double seen = batch.pictures().hashCode();
      double[] scores =
          Arrays.stream(batch.tokens()).mapToDouble(token -> token + sum + seen).toArray();
      return CompletableFuture.completedFuture(new Scores(scores, scores, scores));
    }

    @Override
    public CompletableFuture<Void> update(WeightsHandle weights) {
      if (failing) {
        return CompletableFuture.failedFuture(new IllegalStateException("no memory"));
      }
      ReadableWeights readable = (ReadableWeights) weights;
      List<Double> all = new ArrayList<>();
      for (int i = 0; i < DecoderParameters.of(readable.spec()).size(); i++) {
        long size = DecoderParameters.of(readable.spec()).get(i).size();
        float[] numbers = new float[(int) size];
        MemorySegment heap = MemorySegment.ofArray(numbers);
        readable.read(i, 0, heap);
        for (float number : numbers) {
          all.add((double) number);
        }
      }
      sum = all.stream().mapToDouble(d -> d).sum();
      version = weights.version();
      return updating.copy();
    }

    @Override
    public Map<String, Double> metrics() {
      return Map.of("seeded/version", (double) version);
    }

    @Override
    public List<SessionMemory> peakMemory() {
      return List.of(new SessionMemory(-1, Map.of(MemoryKind.PARAMETERS, 7L)));
    }

    @Override
    public void close() {
      open.decrementAndGet();
    }
  }
}
