package roll.api.scoring;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.osgi.annotation.versioning.ConsumerType;
import roll.api.memory.DeviceMemory;

/**
 * A frozen model with a value head: a reward model. It scores a sequence by the value at its last
 * token, as transformers' {@code …ForSequenceClassification} classes with one label. Methods may be
 * called from any thread.
 */
@ConsumerType
public interface ScoringSession extends SequenceScorer, AutoCloseable {
  @Override
  CompletableFuture<double[]> score(List<int[]> sequences);

  /** Most that each device held for this session since the last call of this; may be empty. */
  default List<DeviceMemory> peakMemory() {
    return List.of();
  }

  @Override
  void close();
}
