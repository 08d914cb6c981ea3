package roll.shell;

import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Function;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Component;
import roll.api.option.UserException;
import roll.text.Suggestion;

/**
 * The error for a command that does not exist. Gogo then calls {@code default}, which the shell's
 * profile defines as this function.
 */
@Component(
    name = "roll.shell.unknown",
    service = Function.class,
    property = {"osgi.command.scope=shell", "osgi.command.function=_unknown"})
public final class UnknownCommand implements Function {
  private static final int STATUS = 127;
  private static final String SCOPE = "roll:";

  /**
   * Throws the error for an unknown command.
   *
   * @throws UserException with the most similar command
   */
  @Override
  public @Nullable Object execute(CommandSession session, List<Object> line) {
    String name = line.isEmpty() ? "" : String.valueOf(line.getFirst());
    String plain = name.startsWith(SCOPE) ? name.substring(SCOPE.length()) : name;
    session.put("exit", STATUS);
    Collection<String> ours = new TreeSet<>();
    Collection<String> others = new TreeSet<>();
    if (session.get(".commands") instanceof Collection<?> commands) {
      for (Object command : commands) {
        String known = String.valueOf(command);
        (known.startsWith(SCOPE) ? ours : others).add(known.substring(known.indexOf(':') + 1));
      }
    }
    String near = Suggestion.near(plain, ours);
    near = near.isEmpty() ? Suggestion.near(plain, others) : near;
    throw new UserException(
        "unknown command '"
            + plain
            + "'"
            + (near.isEmpty() ? "; `help` lists the commands" : near));
  }
}
