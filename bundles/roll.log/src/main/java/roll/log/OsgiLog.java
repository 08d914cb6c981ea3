package roll.log;

import org.jspecify.annotations.Nullable;
import org.osgi.service.log.Logger;
import org.osgi.service.log.LoggerFactory;
import org.osgi.util.tracker.ServiceTracker;
import org.slf4j.event.Level;

/** Writes to the OSGi log service if it is available, otherwise to the console. */
final class OsgiLog implements LogSink {
  private final ServiceTracker<LoggerFactory, LoggerFactory> factories;
  private final LogConsole console;

  OsgiLog(ServiceTracker<LoggerFactory, LoggerFactory> factories, LogConsole console) {
    this.factories = factories;
    this.console = console;
  }

  @Override
  public boolean wants(Level level) {
    return console.wants(level);
  }

  @Override
  public void write(String name, Level level, String message, @Nullable Throwable error) {
    LoggerFactory factory = factories.getService();
    if (factory == null) {
      console.write(name, level, message, error);
      return;
    }
    // if the last argument is a Throwable, the OSGi logger uses it as the exception of the entry
    Object[] arguments = error == null ? new Object[] {message} : new Object[] {message, error};
    Logger logger = factory.getLogger(name);
    switch (level) {
      case ERROR -> logger.error("{}", arguments);
      case WARN -> logger.warn("{}", arguments);
      case INFO -> logger.info("{}", arguments);
      case DEBUG -> logger.debug("{}", arguments);
      case TRACE -> logger.trace("{}", arguments);
    }
  }
}
