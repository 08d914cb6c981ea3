package roll.sandbox.python;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import roll.api.plugin.OneShotTask;
import roll.api.sandbox.Execution;
import roll.api.sandbox.Execution.Outcome;
import roll.api.sandbox.SandboxLimits;
import roll.api.sandbox.SandboxSession;

/**
 * A session in an interpreter of this process. Each program runs on its own thread with a deep
 * stack, supervised by the caller's thread.
 */
final class PythonSession implements SandboxSession {
  private static final Duration LOOK = Duration.ofMillis(5);

  /** Maximum wait for a stopped Python program to end before it is abandoned. */
  private static final Duration GRACE = Duration.ofSeconds(2);

  private static final long STACK_BYTES = 64L << 20;

  private final InterpreterPool interpreters;
  private final ProgramSlots places;
  private final MemoryWatch memory;
  private final SandboxLimits limits;
  private @Nullable Interpreter interpreter;
  private boolean closed;

  PythonSession(
      InterpreterPool interpreters, ProgramSlots places, MemoryWatch memory, SandboxLimits limits) {
    this.interpreters = interpreters;
    this.places = places;
    this.memory = memory;
    this.limits = limits;
  }

  @Override
  public synchronized Execution run(String program) throws InterruptedException {
    if (closed) {
      throw new IllegalStateException("the session is closed");
    }
    if (!places.take()) {
      return new Execution(
          Outcome.FAILED, "", "SystemError: all slots are held by programs that cannot be stopped");
    }
    Interpreter running;
    try {
      running = interpreter == null ? interpreters.take() : interpreter;
    } catch (RuntimeException | Error e) {
      places.give();
      throw e;
    }
    interpreter = null; // until the interpreter is known to be usable
    AtomicReference<@Nullable Execution> ended = new AtomicReference<>();
    Thread thread =
        Thread.ofPlatform()
            .name("roll-python-program")
            .daemon()
            .stackSize(STACK_BYTES)
            .unstarted(new OneShotTask(() -> ended.set(inPlace(running, program))));
    thread.setUncaughtExceptionHandler((failed, why) -> ended.set(broken(running, why)));
    try (MemoryWatch.Program watched = memory.watch(thread, limits.memory())) {
      thread.start();
      @Nullable Execution stopped = supervise(thread, running, watched);
      return stopped == null ? end(thread, running, ended.get()) : stopped;
    }
  }

  /** Runs {@code program} in the slot taken, and returns the slot. */
  private Execution inPlace(Interpreter running, String program) {
    try {
      return running.run(program, limits.output());
    } finally {
      places.give();
    }
  }

  /** Waits for the end of the program; returns null if it ended by itself. */
  private @Nullable Execution supervise(
      Thread thread, Interpreter running, MemoryWatch.Program watched) throws InterruptedException {
    long end = System.nanoTime() + limits.time().toNanos();
    try {
      while (!thread.join(LOOK)) {
        if (System.nanoTime() >= end) {
          String seconds = String.valueOf(limits.time().toMillis() / 1000.0);
          return stopped(
              running, thread, Outcome.TIMEOUT, "TimeoutError: stopped after " + seconds + " s");
        }
        if (watched.tooMuch()) {
          long megabytes = limits.memory() >> 20;
          return stopped(
              running, thread, Outcome.MEMORY, "MemoryError: stopped after " + megabytes + " MiB");
        }
      }
      return null;
    } catch (InterruptedException e) {
      stop(running, thread);
      throw e;
    }
  }

  /** Returns how a program ended by itself, and keeps its interpreter if it is still usable. */
  private Execution end(Thread thread, Interpreter running, @Nullable Execution end)
      throws InterruptedException {
    if (end == null) {
      return broken(running, new IllegalStateException("no result"));
    }
    if (end.outcome() == Outcome.MEMORY || end.error().startsWith("SystemExit")) {
      stop(running, thread);
    } else {
      interpreter = running;
    }
    return end;
  }

  private Execution stopped(Interpreter running, Thread thread, Outcome outcome, String error)
      throws InterruptedException {
    String printed = running.printed();
    stop(running, thread);
    return new Execution(outcome, printed, error);
  }

  /** Cancels the program; an operation of Java that cannot be canceled ends later. */
  private void stop(Interpreter running, Thread thread) throws InterruptedException {
    Thread killer =
        Thread.ofPlatform()
            .name("roll-python-stop")
            .daemon()
            .start(new OneShotTask(() -> interpreters.end(running)));
    killer.join(GRACE);
    if (!thread.join(GRACE)) {
      places.abandon(thread);
    }
  }

  private static Execution broken(Interpreter running, Throwable why) {
    return new Execution(Outcome.FAILED, running.printed(), "SystemError: " + why);
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (interpreter != null) {
      interpreters.end(interpreter);
      interpreter = null;
    }
  }
}
