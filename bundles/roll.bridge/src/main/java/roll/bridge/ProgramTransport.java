package roll.bridge;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import roll.api.plugin.OneShotTask;

/** Transport over the standard input and output of a program. */
final class ProgramTransport implements Transport {
  /** Maximum bytes of a line, which may be an array of answers with pictures. */
  private static final int LONGEST = 32 << 20;

  private static final int KILLED = 128;

  private final String name;
  private final ProgramLauncher.Started program;
  private final Process process;
  private final OutputStream input;
  private final ErrorLog errors;
  private final Thread errorThread;
  private final AtomicBoolean closed = new AtomicBoolean();

  private ProgramTransport(String name, ProgramLauncher.Started program) {
    this.name = name;
    this.program = program;
    process = program.process();
    input = new BufferedOutputStream(process.getOutputStream(), 1 << 16);
    errors = new ErrorLog(name, process.getErrorStream());
    errorThread = thread(name + " errors", errors);
  }

  /** Starts a program and returns the transport over its standard input and output. */
  static ProgramTransport start(ProgramCommand place) throws IOException {
    return new ProgramTransport(place.shown(), ProgramLauncher.start(place));
  }

  @Override
  public void open(Listener listener) {
    errorThread.start();
    thread(name + " answers", () -> read(listener)).start();
  }

  /**
   * Creates a platform thread, since programs must be watched even if all carrier threads are busy.
   */
  private static Thread thread(String name, Runnable work) {
    return Thread.ofPlatform().daemon().name(name).unstarted(new OneShotTask(work));
  }

  private void read(Listener listener) {
    LineReader lines = new LineReader(process.getInputStream(), LONGEST, false);
    try {
      for (String line = lines.line(); line != null; line = lines.line()) {
        listener.line(line);
      }
      listener.ended(howItEnded());
    } catch (LineReader.LongLineException e) {
      listener.ended("wrote " + e.getMessage());
    } catch (IOException e) {
      listener.ended(howItEnded());
    } catch (OutOfMemoryError e) {
      listener.ended("wrote more than there is memory for");
    }
  }

  private String howItEnded() {
    try {
      if (!process.waitFor(1, TimeUnit.SECONDS)) {
        return "closed its output";
      }
      errorThread.join(500);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    int status = process.isAlive() ? 0 : process.exitValue();
    return status > KILLED
        ? "was killed by signal " + (status - KILLED)
        : "ended with status " + status;
  }

  @Override
  public void send(String line) throws IOException {
    input.write(line.getBytes(StandardCharsets.UTF_8));
    input.write('\n');
    input.flush();
  }

  @Override
  public String lastWords() {
    return errors.last();
  }

  @Override
  public void finish() {
    thread(name + " end of input", this::closeInput).start();
  }

  /** Waits for a concurrent write, which lasts while the program accepts no input. */
  private void closeInput() {
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      // it has ended
    }
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      program.end();
    }
  }
}
