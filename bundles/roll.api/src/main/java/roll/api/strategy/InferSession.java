package roll.api.strategy;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.osgi.annotation.versioning.ConsumerType;
import roll.api.memory.DeviceMemory;
import roll.api.scoring.Distributions;

/** A model that scores and samples. Methods may be called from any thread. */
@ConsumerType
public interface InferSession extends Generator, AutoCloseable {
  @Override
  CompletableFuture<List<Generation>> generate(List<GenerationRequest> requests);

  /** Log-probs and entropies of the scored tokens. */
  CompletableFuture<Scores> score(TokenBatch batch);

  /**
   * The distributions that {@link #score} finds its log-probs in, until the next {@link #update};
   * only where {@link InferStrategy#providesDistributions}.
   *
   * @throws UnsupportedOperationException by default
   */
  default Distributions distributions() {
    throw new UnsupportedOperationException(getClass().getName() + " lends no distributions");
  }

  /** Uses {@code weights} from the next call on; a session that sleeps continues sleeping. */
  CompletableFuture<Void> update(Weights weights);

  /**
   * Frees what can be had again, once the calls before this one have ended: the KV cache, and the
   * session's own copy of the weights where the strategy's configuration says so. {@link #generate}
   * after sleep wakes the session, so does {@link #score} where it needs what was freed.
   */
  default CompletableFuture<Void> sleep() {
    return CompletableFuture.completedFuture(null);
  }

  /** Has what {@link #sleep} freed again; nothing where the session is awake. */
  default CompletableFuture<Void> wake() {
    return CompletableFuture.completedFuture(null);
  }

  /** Numbers on the work since the last call of this, under the names of metrics; may be empty. */
  default Map<String, Double> metrics() {
    return Map.of();
  }

  /** Most that each device held for this session since the last call of this; may be empty. */
  default List<DeviceMemory> peakMemory() {
    return List.of();
  }

  @Override
  void close();
}
