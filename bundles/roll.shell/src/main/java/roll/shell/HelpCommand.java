package roll.shell;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.felix.service.command.CommandSession;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.BundleContext;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import roll.api.option.UserException;
import roll.runtime.plugin.ServiceNames;
import roll.shell.command.Arguments;
import roll.shell.command.Command;
import roll.shell.command.RollCommand;
import roll.shell.command.Syntax;
import roll.shell.command.Syntax.Word;
import roll.shell.terminal.Table;
import roll.text.Suggestion;

/** {@code help}: lists the commands of all bundles, or explains one. */
@Component(name = "roll.shell.help", service = Command.class)
@RollCommand(function = "help")
public final class HelpCommand extends Command {
  /** Arguments and options of the command {@code help}. */
  static final Syntax SYNTAX =
      new Syntax(
          "help",
          "Lists the commands, or explains one.",
          List.of(Word.optional("command", "the command to explain")),
          List.of());

  private final BundleContext context;

  /** A command on the service registry of {@code context}. */
  @Activate
  public HelpCommand(BundleContext context) {
    super(SYNTAX);
    this.context = context;
  }

  /** Returns the list of commands, or the help of one. */
  @Override
  protected @Nullable Object run(CommandSession session, Arguments given) throws Exception {
    String name = given.optional(0);
    Map<String, String> commands = commands();
    if (name == null) {
      return list(commands);
    }
    String plain = name.startsWith("roll:") ? name.substring("roll:".length()) : name;
    if (!commands.containsKey(plain)) {
      throw new UserException(
          "help: no command '"
              + plain
              + "' (known: "
              + String.join(", ", commands.keySet())
              + ")"
              + Suggestion.near(plain, commands.keySet()));
    }
    return session.execute("roll:" + plain + " --help");
  }

  private static String list(Map<String, String> commands) {
    Table table = new Table();
    commands.forEach((command, sentence) -> table.row("  " + command, sentence));
    return "usage: ./roll <command> [argument …]; ./roll without a command opens a shell"
        + "\n\n"
        + table
        + "\n\n`./roll help <command>` explains a command.";
  }

  /** Returns the commands of scope {@code roll} with their summaries; empty if there is none. */
  private Map<String, String> commands() {
    try {
      Map<String, String> commands = new TreeMap<>();
      ServiceReference<?>[] found =
          context.getAllServiceReferences(
              null, "(&(osgi.command.scope=roll)(osgi.command.function=*))");
      for (ServiceReference<?> reference : found == null ? new ServiceReference<?>[0] : found) {
        String sentence =
            context.getService(reference) instanceof Command command
                ? command.syntax().summary()
                : ServiceNames.of(reference.getProperty("osgi.command.description"));
        context.ungetService(reference);
        for (String function : ServiceNames.all(reference.getProperty("osgi.command.function"))) {
          commands.put(function, sentence);
        }
      }
      return commands;
    } catch (InvalidSyntaxException e) {
      throw new IllegalStateException(e); // the filter is constant
    }
  }
}
