package roll.api.strategy;

import java.io.IOException;
import java.nio.file.Path;
import org.osgi.annotation.versioning.ConsumerType;

/** The state of a trained model at one moment. It is written once, on any thread, and closed. */
@ConsumerType
public interface Snapshot extends AutoCloseable {
  /** Bytes of memory that it holds, beside those of the model. */
  long bytes();

  /** Writes what {@link TrainedModel#save} would have written at that moment. */
  void write(Path folder) throws IOException;

  /** Frees what it holds. */
  @Override
  void close();
}
