package roll.tracking.console;

import java.io.Console;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import roll.api.tracking.RollTracker;
import roll.api.tracking.Tracker;
import roll.api.tracking.Tracking;

/** Prints one line per step and, on a terminal, a progress bar below it. */
@Component(name = "roll.tracking.console")
@RollTracker({"console", "stdout"})
public final class ConsoleTracker implements Tracker {
  private final PrintStream out;
  private final boolean terminal;
  private final LongSupplier nanoTime;

  /**
   * A tracker on the standard output of the process. {@code System.out} is not used: a running
   * shell replaces it by a stream that depends on the calling thread.
   */
  @Activate
  public ConsoleTracker() {
    this(
        new PrintStream(
            new FileOutputStream(FileDescriptor.out),
            true,
            Charset.forName(System.getProperty("stdout.encoding", "UTF-8"))),
        isTerminal(),
        System::nanoTime);
  }

  /**
   * Creates a console tracker that prints to {@code out}.
   *
   * @param terminal whether {@code out} supports carriage return and ANSI's erase-line
   * @param nanoTime a clock
   */
  ConsoleTracker(PrintStream out, boolean terminal, LongSupplier nanoTime) {
    this.out = out;
    this.terminal = terminal;
    this.nanoTime = nanoTime;
  }

  @Override
  public Tracking open(TrackedRun run) {
    Progress progress = new Progress(run.maxSteps(), run.firstStep(), nanoTime);
    return new ConsoleTracking(out, terminal, progress);
  }

  private static boolean isTerminal() {
    // System.console() is null without a terminal, contrary to Error Prone
    return Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent()
        && escapes(System.getenv());
  }

  /** Returns whether a terminal with these variables supports escape sequences. */
  static boolean escapes(Map<String, String> environment) {
    return environment.getOrDefault("NO_COLOR", "").isEmpty()
        && !environment.getOrDefault("TERM", "").equals("dumb");
  }
}
