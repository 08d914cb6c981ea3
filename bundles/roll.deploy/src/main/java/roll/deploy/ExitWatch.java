package roll.deploy;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import roll.text.OneLine;

/**
 * Keeps plugins from ending the process by calls that {@link ForbiddenCalls} cannot see, as by
 * reflection. {@link Runtime#exit} logs its caller before it acts: if that is a plugin, this
 * handler blocks the thread, which supervision then treats as hanging. {@link Runtime#halt} logs
 * nothing.
 */
final class ExitWatch extends Handler {
  private static final String LOGGER = "java.lang.Runtime"; // as Runtime.exit documents it

  private final BundleContext context;
  private final DeployFolder folder;
  private final Logger logger = Logger.getLogger(LOGGER);

  /** Watches the bundles from {@code folder} until it is closed. */
  ExitWatch(BundleContext context, DeployFolder folder) {
    this.context = context;
    this.folder = folder;
    setLevel(Level.ALL);
    logger.setUseParentHandlers(false);
    logger.addHandler(this);
    logger.setLevel(Level.FINE);
  }

  /** Called on the thread that is about to end the process. */
  @Override
  @SuppressWarnings("InfiniteLoop") // blocks the thread
  public void publish(LogRecord call) {
    Optional<String> plugin = plugin(call.getThrown());
    if (plugin.isPresent()) {
      PrintStream err = new PrintStream(new FileOutputStream(FileDescriptor.err), true);
      err.println(plugin.get());
      while (true) {
        LockSupport.park(this);
        Thread.interrupted(); // an interrupted thread would not park
      }
    }
  }

  private Optional<String> plugin(@Nullable Throwable call) {
    return call == null
        ? Optional.empty()
        : Stream.of(call.getStackTrace()).flatMap(frame -> plugin(frame).stream()).findFirst();
  }

  private Optional<String> plugin(StackTraceElement frame) {
    String path = frame.getClassName().replace('.', '/') + ".class";
    return Stream.of(context.getBundles())
        .filter(bundle -> folder.holds(bundle.getLocation()))
        .filter(bundle -> bundle.getEntry(path) != null)
        .findFirst()
        .map(bundle -> line(bundle, frame));
  }

  private static String line(Bundle bundle, StackTraceElement frame) {
    return OneLine.of(
        "roll: the plugin %s %s tried to end the process (at %s): its thread is blocked"
            .formatted(bundle.getSymbolicName(), bundle.getVersion(), frame));
  }

  @Override
  public void flush() {
    // nothing is buffered
  }

  @Override
  public void close() {
    logger.removeHandler(this);
    logger.setLevel(null);
  }
}
