package roll.shell.notation;

import java.util.Collection;
import java.util.List;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Function;
import org.jline.reader.impl.LineReaderImpl;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Component;

/** Lets the shell read values of keys as they stand in a configuration: its profile calls this. */
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
        && !(reader.getParser() instanceof NotationParser)) {
      reader.setParser(new NotationParser(reader.getParser(), command -> ours(session, command)));
    }
    return null;
  }

  private static boolean ours(CommandSession session, String command) {
    return session.get(COMMANDS) instanceof Collection<?> known
        && known.contains(command.startsWith(SCOPE) ? command : SCOPE + command);
  }
}
