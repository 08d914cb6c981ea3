package roll.log;

import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/** A destination of log messages. */
interface LogSink {
  /** Returns whether messages of {@code level} are accepted. */
  boolean wants(Level level);

  /**
   * Writes one log message.
   *
   * @param error the exception, or null
   */
  void write(String logger, Level level, String message, @Nullable Throwable error);
}
