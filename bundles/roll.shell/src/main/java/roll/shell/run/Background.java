package roll.shell.run;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Job;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.shell.syntax.Arguments;

/** Commands that run beside the shell, as {@code train … &} does. */
public final class Background {
  /** The option that asks for it. */
  public static final String OPTION = "--background";

  /** A variable of sessions that are one command, with which their process ends. */
  private static final String ONCE = "roll.once";

  private Background() {}

  /**
   * Whether {@code command} runs beside the shell or is {@code given} the option for it.
   *
   * @throws UserException if there is no shell beside which it could continue
   */
  public static boolean asked(String command, CommandSession session, Arguments given) {
    if (given.flag(OPTION) && !shell(session)) {
      throw new UserException(
          ("%s: %s works only in the shell that `./roll` opens; this process ends with its one"
                  + " command (without the option, `./roll %1$s … &` leaves it to your own shell)")
              .formatted(command, OPTION));
    }
    return given.flag(OPTION) || here();
  }

  /** Whether {@code session} goes on after its command. */
  public static boolean shell(CommandSession session) {
    return session.get(ONCE) == null;
  }

  /** Whether the thread that asks runs such a command. */
  static boolean here() {
    Job job = Job.Utils.current();
    return job != null && job.status() == Job.Status.Background;
  }

  /**
   * What a command gives that was done with {@code text}: Gogo shows the results of those alone for
   * which it waits, so that in the background it is printed.
   */
  public static @Nullable String answer(CommandSession session, String text) {
    if (!here()) {
      return text;
    }
    session.getConsole().println(text);
    return null;
  }

  /**
   * What {@code command} gives; why it failed is printed, as Gogo shows the errors of those alone
   * for which it waits.
   */
  public static <T extends @Nullable Object> T telling(
      CommandSession session, Supplier<T> command) {
    try {
      return command.get();
    } catch (RuntimeException e) {
      if (here()) {
        session.getConsole().println(e);
      }
      throw e;
    }
  }

  /**
   * Waits until {@code outcome} is there, so that the shell calls the job done when it is. Who
   * fetches the job to the foreground and interrupts it ends the run; a job that is given up, as
   * when the shell ends, leaves the run to itself.
   *
   * @param stop asks the run to end after the step in progress
   * @return empty where the job was given up
   */
  static <T> Optional<T> await(CompletableFuture<T> outcome, Runnable stop) {
    while (true) {
      try {
        return Optional.of(outcome.get());
      } catch (InterruptedException e) {
        if (here()) {
          Thread.currentThread().interrupt();
          return Optional.empty();
        }
        stop.run();
      } catch (ExecutionException e) {
        switch (e.getCause()) {
          case RuntimeException failure -> throw failure;
          case Error failure -> throw failure;
          case null, default -> throw new IllegalStateException("the run failed", e.getCause());
        }
      }
    }
  }
}
