package roll.log;

import java.util.HashMap;
import java.util.Map;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceReference;
import org.osgi.service.log.LogLevel;
import org.osgi.service.log.Logger;
import org.osgi.service.log.admin.LoggerAdmin;
import org.osgi.service.log.admin.LoggerContext;
import org.osgi.util.tracker.ServiceTracker;

/** Sets the console's threshold in the log service, whose default drops INFO and DEBUG. */
final class Thresholds extends ServiceTracker<LoggerAdmin, LoggerAdmin> {
  private final LogConsole console;

  Thresholds(BundleContext context, LogConsole console) {
    super(context, LoggerAdmin.class, null);
    this.console = console;
  }

  @Override
  public LoggerAdmin addingService(ServiceReference<LoggerAdmin> reference) {
    LoggerAdmin admin = super.addingService(reference);
    LoggerContext root = admin.getLoggerContext(null);
    Map<String, LogLevel> levels = new HashMap<>(root.getLogLevels());
    levels.put(Logger.ROOT_LOGGER_NAME, LogLevel.valueOf(console.threshold().name()));
    root.setLogLevels(levels);
    return admin;
  }
}
