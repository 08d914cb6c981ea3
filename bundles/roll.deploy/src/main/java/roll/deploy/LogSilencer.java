package roll.deploy;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.Bundle;
import org.osgi.service.log.LogLevel;
import org.osgi.service.log.Logger;
import org.osgi.service.log.admin.LoggerAdmin;
import org.osgi.service.log.admin.LoggerContext;

/**
 * Suppresses log messages of the framework and SCR about a bundle while it is tried; the result
 * reports them once.
 */
final class LogSilencer implements AutoCloseable {
  private final @Nullable LoggerContext context;

  private LogSilencer(@Nullable LoggerContext context) {
    this.context = context;
  }

  /** Suppresses messages about {@code bundle} until closed; no effect without {@code admin}. */
  static LogSilencer about(Bundle bundle, @Nullable LoggerAdmin admin) {
    if (admin == null) {
      return new LogSilencer(null);
    }
    LoggerContext context = admin.getLoggerContext(bundle.getSymbolicName());
    context.setLogLevels(Map.of(Logger.ROOT_LOGGER_NAME, LogLevel.AUDIT));
    return new LogSilencer(context);
  }

  @Override
  public void close() {
    if (context != null) {
      context.clear();
    }
  }
}
