package roll.api.strategy;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.osgi.annotation.versioning.ConsumerType;
import roll.api.memory.SessionMemory;
import roll.api.scoring.Distributions;

/** An inference session: a model that generates and scores. Thread-safe. */
@ConsumerType
public interface InferSession extends Generator, AutoCloseable {
  @Override
  CompletableFuture<List<Generation>> generate(List<GenerationRequest> requests);

  /** Computes log-probs and entropies of the scored tokens. */
  CompletableFuture<Scores> score(TokenBatch batch);

  /**
   * The distributions used by {@link #score}, valid until the next {@link #update}; supported if
   * {@link InferStrategy#providesDistributions}.
   *
   * @throws UnsupportedOperationException by default
   */
  default Distributions distributions() {
    throw new UnsupportedOperationException(getClass().getName() + " provides no distributions");
  }

  /** Uses {@code weights} from the next call on; a sleeping session keeps sleeping. */
  CompletableFuture<Void> update(WeightsHandle weights);

  /**
   * Frees memory after the earlier calls have ended: the KV cache and, if configured, the session's
   * own copy of the weights. {@link #generate} wakes the session, as does {@link #score} if it
   * needs the freed memory.
   */
  default CompletableFuture<Void> sleep() {
    return CompletableFuture.completedFuture(null);
  }

  /** Reallocates the memory freed by {@link #sleep}; does nothing if the session is awake. */
  default CompletableFuture<Void> wake() {
    return CompletableFuture.completedFuture(null);
  }

  /** Metrics since the last call, by name; may be empty. */
  default Map<String, Double> metrics() {
    return Map.of();
  }

  /** Peak memory of this session on each device since the last call; may be empty. */
  default List<SessionMemory> peakMemory() {
    return List.of();
  }

  @Override
  void close();
}
