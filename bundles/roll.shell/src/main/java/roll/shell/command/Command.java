package roll.shell.command;

import java.util.List;
import java.util.Objects;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Function;
import org.jspecify.annotations.Nullable;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * A command of the shell: a service with the properties of {@link RollCommand}, in any bundle. Its
 * syntax is what is read, what {@code help} prints and what the Tab key offers.
 */
@ConsumerType
public abstract class Command implements Function {
  /** The status of a command that was interrupted. */
  public static final int INTERRUPTED = 130;

  private final Syntax syntax;

  /** A command that is called like this. */
  protected Command(Syntax syntax) {
    this.syntax = syntax;
  }

  /** How it is called. */
  public final Syntax syntax() {
    return syntax;
  }

  /**
   * Does what the command is for.
   *
   * @return what is printed; null where nothing is, or all has been
   */
  protected abstract @Nullable Object run(CommandSession session, Arguments given) throws Exception;

  /**
   * What is read in place of the words that were typed: these, unless they have other spellings.
   */
  protected String[] words(CommandSession session, String... typed) {
    return typed;
  }

  /**
   * Reads the words and runs, or prints the help that was asked for; a command that is interrupted
   * ends, with its status. Why a command failed that runs beside the shell is printed, as Gogo
   * shows the errors of those alone for which it waits.
   */
  @Override
  public final @Nullable Object execute(CommandSession session, List<Object> typed)
      throws Exception {
    try {
      Arguments given = syntax.read(words(session, texts(session, typed)));
      return given.help() ? syntax.help() : run(session, given);
    } catch (InterruptedException e) {
      session.put("exit", INTERRUPTED);
      return null;
    } catch (RuntimeException e) {
      if (Background.here()) {
        session.getConsole().println(e);
      }
      throw e;
    }
  }

  /** The words as texts: Gogo has taken lists and numbers for what they look like. */
  private static String[] texts(CommandSession session, List<Object> typed) {
    return typed.stream()
        .map(word -> Objects.toString(session.convert(String.class, word), String.valueOf(word)))
        .toArray(String[]::new);
  }
}
