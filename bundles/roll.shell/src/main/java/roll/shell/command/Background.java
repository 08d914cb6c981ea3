package roll.shell.command;

import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Job;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;

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
  public static boolean here() {
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
}
