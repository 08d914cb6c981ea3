package roll.main;

import java.io.PrintStream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jline.utils.Signals;
import org.jspecify.annotations.Nullable;
import roll.api.command.Interrupts;

/**
 * Signals while a command runs. The first interrupts its thread, so that it can save its state and
 * end; the second ends the JVM at once.
 *
 * <p>A shutdown hook would not do: another one deletes the framework's files at the same time, and
 * during shutdown a second signal is not heard.
 */
final class SignalWatch implements Interrupts.Watch {
  private final Map<String, @Nullable Object> before = new HashMap<>();
  private final AtomicBoolean happened = new AtomicBoolean();
  private final Thread thread;
  private final PrintStream err;

  private SignalWatch(Thread thread, PrintStream err) {
    this.thread = thread;
    this.err = err;
  }

  /** {@code signals} from now until {@link #close} concern {@code thread}. */
  static SignalWatch of(List<String> signals, Thread thread, PrintStream err) {
    SignalWatch watch = new SignalWatch(thread, err);
    for (String signal : signals) {
      watch.before.put(signal, register(signal, watch::signal));
    }
    return watch;
  }

  /** Whether there was a signal. */
  boolean happened() {
    return happened.get();
  }

  @Override
  public void close() {
    before.forEach(
        (signal, handler) -> {
          if (handler != null) {
            Signals.unregister(signal, handler);
          }
        });
  }

  private void signal() {
    if (happened.getAndSet(true)) {
      Runtime.getRuntime().halt(Status.INTERRUPTED);
    }
    err.println("\nroll: stopping at the next safe point (again: stop at once)");
    thread.interrupt();
  }

  /**
   * Registers {@code action} through JLine, which hides that the JDK's signals are not in its
   * documented interface; the class loader is the one that sees them. Null where the platform lacks
   * the signal.
   */
  static @Nullable Object register(String signal, Runnable action) {
    return Signals.register(signal, action, ClassLoader.getPlatformClassLoader());
  }
}
