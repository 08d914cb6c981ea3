package roll.sandbox.python;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import roll.api.sandbox.Execution;
import roll.api.sandbox.Execution.Outcome;
import roll.api.sandbox.SandboxLimits;
import roll.api.sandbox.SandboxSession;

/** Programs in one process after the other; a new one begins where the last had to be killed. */
final class ProcessSession implements SandboxSession {
  private final Path python;
  private final SandboxLimits limits;
  private @Nullable PythonProcess process;

  ProcessSession(Path python, SandboxLimits limits) {
    this.python = python;
    this.limits = limits;
  }

  @Override
  public synchronized Execution run(String program) throws InterruptedException {
    PythonProcess running = process;
    if (running == null) {
      running = start();
    }
    process = null; // until it is known to live
    PythonProcess asked = running;
    FutureTask<Execution> answer = new FutureTask<>(() -> asked.ask(program));
    Thread.ofVirtual().start(answer);
    try {
      Execution execution = answer.get(limits.time().toMillis(), TimeUnit.MILLISECONDS);
      process = asked;
      return execution;
    } catch (TimeoutException e) {
      String seconds = String.valueOf(limits.time().toMillis() / 1000.0);
      return new Execution(Outcome.TIMEOUT, "", "TimeoutError: stopped after " + seconds + " s");
    } catch (ExecutionException e) {
      return new Execution(Outcome.FAILED, "", "SystemExit: the interpreter ended");
    } finally {
      if (process == null) {
        asked.close();
      }
    }
  }

  private PythonProcess start() {
    try {
      return new PythonProcess(python, limits);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public synchronized void close() {
    if (process != null) {
      process.close();
      process = null;
    }
  }
}
