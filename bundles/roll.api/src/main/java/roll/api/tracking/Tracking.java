package roll.api.tracking;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.osgi.annotation.versioning.ConsumerType;

/** The open tracker of one run, which receives its metrics. Called from one thread at a time. */
@ConsumerType
public interface Tracking extends AutoCloseable {
  /** Tracking that does nothing, for a disabled tracker. */
  static Tracking silent() {
    return NoTracking.NONE;
  }

  /** Logs the metrics of a finished step by name, in print order. */
  void log(int step, Map<String, Double> metrics);

  /** Logs a line for users about the current step; ignored by default. */
  default void notice(String line) {}

  /**
   * Reports the end of the run, before {@link #close}; ignored by default. Not called if the
   * tracker is replaced during the run, or the process is killed.
   */
  default void ended(RunEnd end) {}

  /** Returns the receiver of the run's spans; null, the default, if it records none. */
  default @Nullable Tracing tracing() {
    return null;
  }

  /** Flushes all logged data to disk. */
  void flush();

  @Override
  void close();
}
