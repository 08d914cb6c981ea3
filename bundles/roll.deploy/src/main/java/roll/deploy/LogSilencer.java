package roll.deploy;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.Bundle;
import org.osgi.service.log.LogLevel;
import org.osgi.service.log.Logger;
import org.osgi.service.log.admin.LoggerAdmin;
import org.osgi.service.log.admin.LoggerContext;

/**
 * Keeps what the framework and SCR log of a bundle from the log while it is tried: the verdict says
 * it, once.
 */
final class LogSilencer implements AutoCloseable {
  private final @Nullable LoggerContext context;

  private LogSilencer(@Nullable LoggerContext context) {
    this.context = context;
  }

  /** Quiet about {@code bundle} until it is closed; without {@code admin} nothing changes. */
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
