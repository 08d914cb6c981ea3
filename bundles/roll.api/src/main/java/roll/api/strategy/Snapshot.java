package roll.api.strategy;

import java.io.IOException;
import java.nio.file.Path;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * The state of a trained model or a rollout at one moment. It is written once, on any thread, then
 * closed.
 */
@ConsumerType
public interface Snapshot extends AutoCloseable {
  /** Memory of the snapshot in bytes, in addition to the model's. */
  long bytes();

  /** Writes the files that {@link TrainedModel#save} would have written at that moment. */
  void write(Path folder) throws IOException;

  /** Frees the snapshot's memory and files. */
  @Override
  void close();
}
