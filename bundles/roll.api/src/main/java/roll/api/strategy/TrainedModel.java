package roll.api.strategy;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.osgi.annotation.versioning.ConsumerType;
import roll.api.memory.DeviceMemory;

/**
 * A model that is trained, whatever its head says. Methods may be called from any thread; calls run
 * in their order.
 */
@ConsumerType
public interface TrainedModel extends AutoCloseable {
  /** The current weights. */
  Weights weights();

  /**
   * Writes the model as a Hugging Face folder into {@code folder} and the optimizer's state into
   * its sub-folder {@code trainer}.
   */
  CompletableFuture<Void> save(Path folder);

  /**
   * Copies what {@link #save} would write, as it is now, so that it can be written while training
   * continues. The standard copies by way of {@link #save} into a folder for temporary files.
   */
  default CompletableFuture<Snapshot> snapshot() {
    return SavedSnapshot.of(this);
  }

  /**
   * Continues from what {@link #save} wrote, bit for bit.
   *
   * @throws roll.api.option.UserException through the future, if the folder does not fit
   */
  CompletableFuture<Void> restore(Path folder);

  /**
   * What the last bits of its numbers depend on, and what of that changed with the last {@link
   * #restore}.
   */
  default NumericsInfo numericsInfo() {
    return NumericsInfo.UNKNOWN;
  }

  /** Most that each device held for this session since the last call of this; may be empty. */
  default List<DeviceMemory> peakMemory() {
    return List.of();
  }

  /**
   * Says where in the run the next optimizer step is. By default, and where nobody says it, the
   * schedule of the learning rate is as long as {@code TrainingConfig.totalSteps}.
   */
  default void position(RunPosition next) {}

  @Override
  void close();
}
