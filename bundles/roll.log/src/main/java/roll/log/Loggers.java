package roll.log;

import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.ILoggerFactory;
import org.slf4j.Logger;

/**
 * All SLF4J loggers; they write to the console until the bundle starts and sets another sink. SLF4J
 * keeps the only instance, so nothing here is static.
 */
final class Loggers implements ILoggerFactory {
  private final ConcurrentHashMap<String, Logger> loggers = new ConcurrentHashMap<>();
  private volatile LogSink sink = LogConsole.standard();

  @Override
  public Logger getLogger(String name) {
    return loggers.computeIfAbsent(name, n -> new SinkLogger(n, this));
  }

  LogSink sink() {
    return sink;
  }

  /** Sets the sink of every existing and future logger. */
  void sendTo(LogSink next) {
    sink = next;
  }
}
