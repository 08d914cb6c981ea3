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
 * Handles signals while a command runs. The first one interrupts its thread, so that it can save
 * and stop; the second ends the JVM at once. In a process for a single command, the JVM also ends
 * if the thread ignores the interrupt for some seconds: a thread that only computes has nothing to
 * save.
 *
 * <p>Not a shutdown hook: another hook deletes the framework's files concurrently, and the JVM
 * ignores signals during shutdown.
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

  /** Handles {@code signals} for {@code thread} until {@link #close}. */
  static SignalWatch of(List<String> signals, Thread thread, PrintStream err) {
    return new SignalWatch(thread, err, 0).on(signals);
  }

  /**
   * Like {@link #of}, for a process that ends with the command.
   *
   * @param grace seconds that the thread may ignore an interrupt
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

  /** Returns whether a signal or {@link #interrupt} occurred. */
  boolean happened() {
    return happened.get() || asked.get();
  }

  /**
   * Acts like a first signal, once, unless one has occurred; a later signal still counts as first.
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
      ImmediateExit.with(ExitStatus.INTERRUPTED);
    }
    if (!asked.get()) {
      tell();
    }
  }

  private void tell() {
    err.println("\nroll: stopping at the next safe point (again: stop immediately)");
    thread.interrupt();
    if (grace > 0) {
      Thread.ofPlatform().daemon().name("roll-signal").start(this::endIfIgnored);
    }
  }

  private void endIfIgnored() {
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
    ImmediateExit.with(ExitStatus.INTERRUPTED);
  }

  /**
   * Registers {@code action} through JLine, since the JDK's signal API is internal; its class
   * loader can see that API. Returns the previous handler; null if the platform lacks the signal.
   */
  static @Nullable Object register(String signal, Runnable action) {
    return Signals.register(signal, action, ClassLoader.getPlatformClassLoader());
  }
}
