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
import roll.shell.syntax.Outcomes;

/** Runs that a command waits for, and what it says of their ends. */
final class Foreground {

  private Foreground() {}

  /**
   * Waits for {@code outcome}; an interrupt asks the run to stop and waits on.
   *
   * @param then what happens after the step in progress
   * @throws UserException if that ended it; what else did is thrown as it is
   */
  static Outcome await(
      CompletableFuture<Outcome> outcome, Runnable stop, String then, PrintStream out) {
    return Outcomes.of(
        outcome,
        () -> {
          out.println();
          out.println("finishing the current step, then " + then);
          stop.run();
        });
  }

  /**
   * Waits for {@code outcome} in a job of the shell, which calls it done when it is. Who fetches
   * the job to the foreground and interrupts it ends the run; a job that is given up, as when the
   * shell ends, leaves the run to itself.
   *
   * @param stop asks the run to end after the step in progress
   * @return empty where the job was given up
   */
  static Optional<Outcome> awaitInJob(CompletableFuture<Outcome> outcome, Runnable stop) {
    while (true) {
      try {
        return Optional.of(Outcomes.of(outcome));
      } catch (InterruptedException e) {
        if (Background.here()) {
          Thread.currentThread().interrupt();
          return Optional.empty();
        }
        stop.run();
      }
    }
  }

  /**
   * Says of a run that was interrupted how it continues; the exit status is that of an interrupt.
   */
  static void stopped(
      CommandSession session, String command, Arguments given, Path folder, Outcome outcome) {
    PrintStream out = session.getConsole();
    session.put("exit", Command.INTERRUPTED);
    out.println("stopped after " + steps(outcome) + ", saved in " + folder);
    out.println("to continue: ./roll " + command + " " + ConfigFile.again(given.words()));
  }

  /** How many are complete, in words. */
  static String steps(Outcome outcome) {
    return outcome.steps() == 1 ? "1 step" : outcome.steps() + " steps";
  }

  /** The first of {@code names} that the last step has, after a comma; empty if it has none. */
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
