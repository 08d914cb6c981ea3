package roll.shell.command;

import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Job;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;

/** Commands that run in the background of the shell, as {@code train … &} does. */
public final class Background {
  /** The option that starts a command in the background. */
  public static final String OPTION = "--background";

  /** Session variable of a process that runs a single command. */
  private static final String ONCE = "roll.once";

  private Background() {}

  /**
   * Returns whether {@code command} runs in the background, or {@code given} asks for that.
   *
   * @throws UserException if {@code given} asks for that outside the interactive shell
   */
  public static boolean asked(String command, CommandSession session, Arguments given) {
    if (given.flag(OPTION) && !shell(session)) {
      throw new UserException(
          ("%s: %s works only in the shell that `./roll` opens: this process ends with its"
                  + " command (use `./roll %1$s … &` of your own shell instead)")
              .formatted(command, OPTION));
    }
    return given.flag(OPTION) || here();
  }

  /** Returns whether {@code session} is an interactive shell. */
  public static boolean shell(CommandSession session) {
    return session.get(ONCE) == null;
  }

  /** Returns whether the current thread runs a background command. */
  public static boolean here() {
    Job job = Job.Utils.current();
    return job != null && job.status() == Job.Status.Background;
  }

  /**
   * Returns the result of a command that ended with {@code text}. Gogo prints the results of
   * foreground commands only, so a background command prints it and returns null.
   */
  public static @Nullable String answer(CommandSession session, String text) {
    if (!here()) {
      return text;
    }
    session.getConsole().println(text);
    return null;
  }
}
