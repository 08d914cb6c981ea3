package roll.log;

import java.util.List;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;
import org.osgi.service.log.LoggerFactory;
import org.osgi.util.tracker.ServiceTracker;

/** Connects SLF4J to the OSGi log, and the OSGi log to stderr, while the bundle is started. */
public final class Activator implements BundleActivator {
  private final LogConsole console = LogConsole.standard();
  private List<ServiceTracker<?, ?>> trackers = List.of();

  @Override
  public void start(BundleContext context) {
    var factories =
        new ServiceTracker<LoggerFactory, LoggerFactory>(context, LoggerFactory.class, null);
    trackers =
        List.of(new Thresholds(context, console), new LogPrinter(context, console), factories);
    trackers.forEach(ServiceTracker::open);
    send(new OsgiLog(factories, console));
  }

  @Override
  public void stop(BundleContext context) {
    send(console);
    trackers.forEach(ServiceTracker::close);
  }

  private static void send(LogSink sink) {
    if (org.slf4j.LoggerFactory.getILoggerFactory() instanceof Loggers loggers) {
      loggers.sendTo(sink);
    }
  }
}
