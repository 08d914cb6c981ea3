package roll.api.strategy;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.osgi.annotation.versioning.ConsumerType;
import roll.api.memory.SessionMemory;

/** A training session of a model with any head. Thread-safe; calls run in order. */
@ConsumerType
public interface TrainedModel extends AutoCloseable {
  /** The current weights of the trained model. */
  WeightsHandle weights();

  /**
   * Writes the model in Hugging Face format into {@code folder} and the optimizer state into its
   * sub-folder {@code trainer}.
   */
  CompletableFuture<Void> save(Path folder);

  /**
   * Copies the current training state, so that it can be written while training continues. By
   * default calls {@link #save} with a temporary folder.
   */
  default CompletableFuture<Snapshot> snapshot() {
    return SavedSnapshot.of(this);
  }

  /**
   * Restores a training state written by {@link #save}, bit for bit.
   *
   * @throws roll.api.option.UserException through the future, if the folder does not match the
   *     model
   */
  CompletableFuture<Void> restore(Path folder);

  /**
   * The machine properties that determine rounding, and their changes with the last {@link
   * #restore}.
   */
  default NumericsInfo numericsInfo() {
    return NumericsInfo.UNKNOWN;
  }

  /** Peak memory of this session on each device since the last call; may be empty. */
  default List<SessionMemory> peakMemory() {
    return List.of();
  }

  /**
   * Sets the position of the next optimizer step in the run. Without it, and by default, the
   * learning-rate schedule is {@code TrainingConfig.totalSteps} long.
   */
  default void position(RunPosition next) {}

  @Override
  void close();
}
