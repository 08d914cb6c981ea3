package roll.api.tracking;

import java.util.Map;
import org.osgi.annotation.versioning.ConsumerType;

/** One run's metrics on their way out. Called from one thread at a time. */
@ConsumerType
public interface Tracking extends AutoCloseable {
  /** A tracking of nothing, where a tracker has been told to be quiet. */
  static Tracking silent() {
    return Silence.SILENCE;
  }

  /** The metrics of a finished step, by name, in printing order. */
  void log(int step, Map<String, Double> metrics);

  /** A line for a person about the step under way; the standard passes over it. */
  default void notice(String line) {}

  /** Makes sure that what was logged is on disk. */
  void flush();

  @Override
  void close();
}
