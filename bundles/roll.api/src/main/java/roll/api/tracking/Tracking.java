package roll.api.tracking;

import java.util.Map;
import org.osgi.annotation.versioning.ConsumerType;

/** One run's metrics on their way out. Called from one thread at a time. */
@ConsumerType
public interface Tracking extends AutoCloseable {
  /** A tracking that does nothing, for a tracker that is switched off. */
  static Tracking silent() {
    return NoTracking.NONE;
  }

  /** The metrics of a finished step, by name, in printing order. */
  void log(int step, Map<String, Double> metrics);

  /** A line for a human about the current step; ignored by default. */
  default void notice(String line) {}

  /** Makes sure that everything logged is on disk. */
  void flush();

  @Override
  void close();
}
