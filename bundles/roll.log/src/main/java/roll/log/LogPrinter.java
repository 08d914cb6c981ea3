package roll.log;

import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceReference;
import org.osgi.service.log.LogEntry;
import org.osgi.service.log.LogLevel;
import org.osgi.service.log.LogListener;
import org.osgi.service.log.LogReaderService;
import org.osgi.util.tracker.ServiceTracker;
import org.slf4j.event.Level;

/** Listens to every log reader service and prints the entries that the console accepts. */
final class LogPrinter extends ServiceTracker<LogReaderService, LogReaderService> {
  /**
   * The prefix of the framework's own loggers: each bundle, service and framework event is an
   * entry.
   */
  private static final String EVENTS = "Events.";

  /**
   * The logger of events of roll.deploy, which checks deployed jars and reports problems itself.
   */
  private static final String JUDGE = EVENTS + "Framework.roll.deploy";

  private final LogConsole console;
  private final LogListener listener = this::print;

  LogPrinter(BundleContext context, LogConsole console) {
    super(context, LogReaderService.class, null);
    this.console = console;
  }

  @Override
  public LogReaderService addingService(ServiceReference<LogReaderService> reference) {
    LogReaderService reader = super.addingService(reference);
    reader.addLogListener(listener);
    return reader;
  }

  @Override
  public void removedService(
      ServiceReference<LogReaderService> reference, LogReaderService reader) {
    reader.removeLogListener(listener);
    super.removedService(reference, reader);
  }

  private void print(LogEntry entry) {
    String name = entry.getLoggerName();
    if (name.equals(JUDGE) || (name.startsWith(EVENTS) && entry.getLogLevel() != LogLevel.ERROR)) {
      return;
    }
    console.write(name, level(entry.getLogLevel()), entry.getMessage(), entry.getException());
  }

  private static Level level(LogLevel level) {
    return switch (level) {
      case AUDIT, ERROR -> Level.ERROR;
      case WARN -> Level.WARN;
      case INFO -> Level.INFO;
      case DEBUG -> Level.DEBUG;
      case TRACE -> Level.TRACE;
    };
  }
}
