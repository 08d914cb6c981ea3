package roll.log;

import java.io.PrintStream;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/** Prints messages at or above a threshold, one line each; stack traces only at the debug level. */
final class LogConsole implements LogSink {
  /** The system property for the threshold: error, warn (default), info, debug or trace. */
  static final String LEVEL = "roll.log.level";

  /**
   * The system property for loggers or packages, separated by commas, of which only errors are
   * printed.
   */
  static final String QUIET = "roll.log.quiet";

  /**
   * The first warns four times at every start if a CUDA runtime is installed without a driver; the
   * others log errors that the tool reports itself.
   */
  private static final String NOISY = "ai.djl.util.cuda.CudaUtils,io.modelcontextprotocol";

  private final PrintStream out;
  private final Level threshold;
  private final Set<String> quiet;

  LogConsole(PrintStream out, Level threshold, Set<String> quiet) {
    this.out = out;
    this.threshold = threshold;
    this.quiet = quiet;
  }

  /** Returns the console on stderr, as configured by system properties. */
  static LogConsole standard() {
    String name = System.getProperty(LEVEL, "warn").toUpperCase(Locale.ROOT);
    Level level =
        Arrays.stream(Level.values())
            .filter(l -> l.name().equals(name))
            .findFirst()
            .orElse(Level.WARN);
    Set<String> quiet = Set.copyOf(Arrays.asList(System.getProperty(QUIET, NOISY).split(",")));
    return new LogConsole(System.err, level, quiet);
  }

  Level threshold() {
    return threshold;
  }

  @Override
  public boolean wants(Level level) {
    return level.toInt() >= threshold.toInt();
  }

  @Override
  public void write(String logger, Level level, String message, @Nullable Throwable error) {
    if (!wants(level) || (level != Level.ERROR && isQuiet(logger))) {
      return;
    }
    String cause = error == null ? "" : " (" + error + ")";
    out.println(level + " " + logger + ": " + message + cause);
    if (error != null && wants(Level.DEBUG)) {
      error.printStackTrace(out);
    }
  }

  private boolean isQuiet(String logger) {
    return quiet.stream().anyMatch(q -> logger.equals(q) || logger.startsWith(q + "."));
  }
}
