package roll.log;

import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;

/** An SLF4J logger that writes to the current sink. */
final class SinkLogger extends LegacyAbstractLogger {
  private static final long serialVersionUID = 1L;

  private final transient Loggers loggers;

  SinkLogger(String name, Loggers loggers) {
    this.name = name;
    this.loggers = loggers;
  }

  @Override
  public boolean isTraceEnabled() {
    return loggers.sink().wants(Level.TRACE);
  }

  @Override
  public boolean isDebugEnabled() {
    return loggers.sink().wants(Level.DEBUG);
  }

  @Override
  public boolean isInfoEnabled() {
    return loggers.sink().wants(Level.INFO);
  }

  @Override
  public boolean isWarnEnabled() {
    return loggers.sink().wants(Level.WARN);
  }

  @Override
  public boolean isErrorEnabled() {
    return loggers.sink().wants(Level.ERROR);
  }

  @Override
  protected @Nullable String getFullyQualifiedCallerName() {
    return null;
  }

  @Override
  protected void handleNormalizedLoggingCall(
      Level level,
      @Nullable Marker marker,
      String pattern,
      @Nullable Object @Nullable [] arguments,
      @Nullable Throwable error) {
    String message = MessageFormatter.basicArrayFormat(pattern, arguments);
    loggers.sink().write(name, level, message, error);
  }
}
