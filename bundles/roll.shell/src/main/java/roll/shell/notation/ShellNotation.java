package roll.shell.notation;

import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Function;
import org.jline.reader.ParsedLine;
import org.jline.reader.Parser;
import org.jline.reader.impl.LineReaderImpl;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Component;

/**
 * Makes the shell accept values of keys as a configuration writes them; called by the shell's
 * profile.
 */
@Component(
    name = "roll.shell.notation",
    service = Function.class,
    property = {"osgi.command.scope=shell", "osgi.command.function=_notation"})
public final class ShellNotation implements Function {
  private static final String READER = ".reader";
  private static final String COMMANDS = ".commands";
  private static final String SCOPE = "roll:";

  @Override
  public @Nullable Object execute(CommandSession session, List<Object> arguments) {
    if (session.get(READER) instanceof LineReaderImpl reader
        && !(reader.getParser() instanceof QuotingParser)) {
      reader.setParser(
          new QuotingParser(reader.getParser(), command -> isRollCommand(session, command)));
    }
    return null;
  }

  private static boolean isRollCommand(CommandSession session, String command) {
    return session.get(COMMANDS) instanceof Collection<?> known
        && known.contains(command.startsWith(SCOPE) ? command : SCOPE + command);
  }

  /**
   * Gogo's parser, given an accepted line with quotes added; a line that is still being edited is
   * parsed as it is on the screen.
   *
   * @param ours whether a command belongs to the scope {@code roll}
   */
  private record QuotingParser(Parser gogo, Predicate<String> ours) implements Parser {
    @Override
    public ParsedLine parse(String line, int cursor, ParseContext context) {
      if (context != ParseContext.ACCEPT_LINE) {
        return gogo.parse(line, cursor, context);
      }
      String quoted = LineNotation.quoted(line, ours);
      return gogo.parse(quoted, quoted.equals(line) ? cursor : quoted.length(), context);
    }

    @Override
    public boolean isEscapeChar(char c) {
      return gogo.isEscapeChar(c);
    }
  }
}
