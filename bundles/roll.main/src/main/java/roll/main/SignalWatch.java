package roll.main;

import java.io.PrintStream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jline.utils.Signals;
import org.jspecify.annotations.Nullable;
import roll.runtime.command.Interrupts;

/**
 * Signals while a command runs. The first interrupts its thread, so that it can save its state and
 * end; the second ends the JVM at once. Where the command is all that the process is for, the first
 * one ends the JVM too if after some seconds nobody has taken the interrupt: a thread that only
 * computes has nothing to save.
 *
 * <p>A shutdown hook would not do: another one deletes the framework's files at the same time, and
 * during shutdown a second signal is not heard.
 */
final class SignalWatch implements Interrupts.Watch {
  private final Map<String, @Nullable Object> before = new HashMap<>();
  private final AtomicBoolean happened = new AtomicBoolean();
  private final AtomicBoolean asked = new AtomicBoolean();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final Thread thread;
  private final PrintStream err;
  private final int grace;

  private SignalWatch(Thread thread, PrintStream err, int grace) {
    this.thread = thread;
    this.err = err;
    this.grace = grace;
  }

  /** {@code signals} from now until {@link #close} concern {@code thread}. */
  static SignalWatch of(List<String> signals, Thread thread, PrintStream err) {
    return new SignalWatch(thread, err, 0).on(signals);
  }

  /**
   * The same for a process that ends with the command.
   *
   * @param grace seconds that the thread may leave an interrupt alone
   */
  static SignalWatch ending(List<String> signals, Thread thread, PrintStream err, int grace) {
    return new SignalWatch(thread, err, grace).on(signals);
  }

  private SignalWatch on(List<String> signals) {
    for (String signal : signals) {
      before.put(signal, register(signal, this::signal));
    }
    return this;
  }

  /** Whether there was a signal, or what does the same. */
  boolean happened() {
    return happened.get() || asked.get();
  }

  /**
   * Does what a first signal does, once, and nothing after one: a signal that comes after it is the
   * first.
   */
  void interrupt() {
    if (!closed.get() && !happened.get() && asked.compareAndSet(false, true)) {
      tell();
    }
  }

  @Override
  public void close() {
    closed.set(true);
    before.forEach(
        (signal, handler) -> {
          if (handler != null) {
            Signals.unregister(signal, handler);
          }
        });
  }

  private void signal() {
    if (happened.getAndSet(true)) {
      Runtime.getRuntime().halt(ExitStatus.INTERRUPTED);
    }
    if (!asked.get()) {
      tell();
    }
  }

  private void tell() {
    err.println("\nroll: stopping at the next safe point (again: stop immediately)");
    thread.interrupt();
    if (grace > 0) {
      Thread.ofPlatform().daemon().name("roll-signal").start(this::endIfNobodyHears);
    }
  }

  private void endIfNobodyHears() {
    try {
      for (long waited = 0; waited < grace; waited++) {
        Thread.sleep(1000);
        if (closed.get() || !thread.isInterrupted()) {
          return;
        }
      }
    } catch (InterruptedException e) {
      return;
    }
    err.println("roll: the command does not respond: stopped");
    Runtime.getRuntime().halt(ExitStatus.INTERRUPTED);
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
