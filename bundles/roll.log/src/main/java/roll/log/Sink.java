package roll.log;

import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/** Where log messages go. */
interface Sink {
  /** Whether a message of {@code level} is wanted. */
  boolean wants(Level level);

  /** Takes one message; {@code error} is what was thrown, if anything. */
  void write(String logger, Level level, String message, @Nullable Throwable error);
}
