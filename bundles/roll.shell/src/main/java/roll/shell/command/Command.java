package roll.shell.command;

import java.util.List;
import java.util.Objects;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Function;
import org.jspecify.annotations.Nullable;
import org.osgi.annotation.versioning.ConsumerType;
import roll.api.option.UserException;

/**
 * A command of the shell: a service with the properties of {@link RollCommand}, in any bundle. Its
 * syntax defines parsing, {@code help} and Tab completion.
 */
@ConsumerType
public abstract class Command implements Function {
  /** Exit status of an interrupted command. */
  public static final int INTERRUPTED = 130;

  private static final int FAILED = 1;
  private static final int MISTAKE = 2;

  /** Session variable with the exit status. */
  private static final String EXIT = "exit";

  private final Syntax syntax;

  /** Creates a command with the syntax of its arguments. */
  protected Command(Syntax syntax) {
    this.syntax = syntax;
  }

  /** Returns the arguments and options of the command. */
  public final Syntax syntax() {
    return syntax;
  }

  /**
   * Runs the command and returns its output.
   *
   * @return the text to print, or null for none
   */
  protected abstract @Nullable Object run(CommandSession session, Arguments given) throws Exception;

  /** Returns the words to parse; overridden by commands that accept other spellings. */
  protected String[] words(CommandSession session, String... typed) {
    return typed;
  }

  /**
   * Parses the words and runs the command, or returns its help. An interrupt ends the command with
   * status {@link #INTERRUPTED}; in the shell the variable {@code exit} has the status of each. The
   * error of a background command is printed here, because Gogo prints those of foreground commands
   * only.
   */
  @Override
  public final @Nullable Object execute(CommandSession session, List<Object> typed)
      throws Exception {
    boolean shell = Background.shell(session) && !Background.here();
    try {
      if (shell) {
        session.put(EXIT, 0);
      }
      Arguments given = syntax.read(words(session, texts(session, typed)));
      return given.help() ? syntax.help() : run(session, given);
    } catch (InterruptedException e) {
      session.put(EXIT, INTERRUPTED);
      return null;
    } catch (Exception e) {
      if (shell) {
        session.put(EXIT, status(e));
      } else if (Background.here() && e instanceof RuntimeException) {
        session.getConsole().println(e);
      }
      throw e;
    }
  }

  /** Returns the exit status that the same failure has outside the shell. */
  private static int status(Throwable error) {
    for (Throwable cause = error; cause != null; cause = cause.getCause()) {
      if (cause instanceof UserException) {
        return MISTAKE;
      }
    }
    return FAILED;
  }

  /** Returns the words as text; Gogo has parsed those that look like lists or numbers. */
  private static String[] texts(CommandSession session, List<Object> typed) {
    return typed.stream()
        .map(word -> Objects.toString(session.convert(String.class, word), String.valueOf(word)))
        .toArray(String[]::new);
  }
}
