package roll.sandbox.python_process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import roll.api.sandbox.Execution;
import roll.api.sandbox.Execution.Outcome;
import roll.api.sandbox.SandboxLimits;
import roll.api.sandbox.SandboxSession;

/** A session of programs in a process; a killed process is replaced by a new one. */
final class ProcessSession implements SandboxSession {
  /** Starts the process of a session. */
  interface Begin {
    /** Returns the connection to a new process. */
    ProgramChannel connect() throws IOException;
  }

  private final Begin begin;
  private final SandboxLimits limits;
  private final Semaphore work;
  private @Nullable ProgramChannel dialogue;
  private boolean closed;

  /**
   * Creates a session whose process starts with the first program.
   *
   * @param work limits concurrent programs
   */
  ProcessSession(Begin begin, SandboxLimits limits, Semaphore work) {
    this.begin = begin;
    this.limits = limits;
    this.work = work;
  }

  @Override
  public synchronized Execution run(String program) throws InterruptedException {
    if (closed) {
      throw new IllegalStateException("the session is closed");
    }
    work.acquire();
    try {
      return running(program);
    } finally {
      work.release();
    }
  }

  private Execution running(String program) throws InterruptedException {
    ProgramChannel asked = dialogue == null ? begin() : dialogue;
    dialogue = null; // until it is known to be alive
    ProgramOutput printed = new ProgramOutput(limits.output());
    Callable<Execution> ask = () -> asked.ask(program, printed, limits.output());
    FutureTask<Execution> answer = new FutureTask<>(ask);
    Thread.ofVirtual().start(answer);
    try {
      Execution execution = answer.get(limits.time().toMillis(), TimeUnit.MILLISECONDS);
      dialogue = asked;
      return execution;
    } catch (TimeoutException e) {
      String seconds = String.valueOf(limits.time().toMillis() / 1000.0);
      String error = "TimeoutError: stopped after " + seconds + " s";
      return new Execution(Outcome.TIMEOUT, printed.text(), error);
    } catch (ExecutionException e) {
      return new Execution(Outcome.FAILED, printed.text(), "SystemExit: the interpreter ended");
    } finally {
      if (dialogue == null) {
        asked.close();
      }
    }
  }

  private ProgramChannel begin() {
    try {
      return begin.connect();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (dialogue != null) {
      dialogue.close();
      dialogue = null;
    }
  }
}
