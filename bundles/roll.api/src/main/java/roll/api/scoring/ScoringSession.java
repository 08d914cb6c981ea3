package roll.api.scoring;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.osgi.annotation.versioning.ConsumerType;
import roll.api.memory.SessionMemory;

/**
 * A frozen reward model with a value head. It scores a sequence by the value at its last token,
 * like the {@code …ForSequenceClassification} classes of transformers with one label. Thread-safe.
 */
@ConsumerType
public interface ScoringSession extends SequenceScorer, AutoCloseable {
  @Override
  CompletableFuture<double[]> score(List<int[]> sequences);

  /** Peak memory of this session on each device since the last call; may be empty. */
  default List<SessionMemory> peakMemory() {
    return List.of();
  }

  @Override
  void close();
}
