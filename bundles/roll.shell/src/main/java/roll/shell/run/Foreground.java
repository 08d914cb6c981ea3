package roll.shell.run;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.felix.service.command.CommandSession;
import roll.api.option.UserException;
import roll.runtime.pipeline.TrainingRun.Outcome;
import roll.shell.command.Arguments;
import roll.shell.command.Background;
import roll.shell.command.Command;
import roll.shell.syntax.FutureResults;

/** Waits for runs in the foreground and reports how they ended. */
final class Foreground {

  private Foreground() {}

  /**
   * Waits for {@code outcome}; an interrupt calls {@code stop} and waiting continues.
   *
   * @param then what happens after the current step, for the message
   * @throws UserException if that ended the run; other failures are thrown unwrapped
   */
  static Outcome await(
      CompletableFuture<Outcome> outcome, Runnable stop, String then, PrintStream out) {
    return FutureResults.of(
        outcome,
        () -> {
          out.println();
          out.println("finishing the current step, then " + then);
          stop.run();
        });
  }

  /**
   * Waits for {@code outcome} in a job of the shell, so that the job lasts as long as the run. An
   * interrupt of the job in the foreground stops the run; an abandoned job, as when the shell ends,
   * does not.
   *
   * @param stop asks the run to end after the current step
   * @return empty if the job was abandoned
   */
  static Optional<Outcome> awaitInJob(CompletableFuture<Outcome> outcome, Runnable stop) {
    while (true) {
      try {
        return Optional.of(FutureResults.of(outcome));
      } catch (InterruptedException e) {
        if (Background.here()) {
          Thread.currentThread().interrupt();
          return Optional.empty();
        }
        stop.run();
      }
    }
  }

  /** Prints how to continue an interrupted run and sets the exit status. */
  static void stopped(
      CommandSession session, String command, Arguments given, Path folder, Outcome outcome) {
    PrintStream out = session.getConsole();
    session.put("exit", Command.INTERRUPTED);
    out.println("stopped after " + steps(outcome) + ", saved in " + folder);
    out.println("to continue: ./roll " + command + " " + ConfigFile.again(given.words()));
  }

  /** Returns the number of complete steps, as text. */
  static String steps(Outcome outcome) {
    return outcome.steps() == 1 ? "1 step" : outcome.steps() + " steps";
  }

  /** Returns a comma and the first of {@code names} that the last step has, or the empty text. */
  static String last(Outcome outcome, String format, String... names) {
    for (String name : names) {
      Double value = outcome.lastMetrics().get(name);
      if (value != null) {
        return ", " + name + " " + String.format(Locale.ROOT, format, value);
      }
    }
    return "";
  }
}
