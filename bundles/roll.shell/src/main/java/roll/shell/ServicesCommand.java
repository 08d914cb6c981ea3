package roll.shell;

import java.util.List;
import org.apache.felix.service.command.CommandSession;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.runtime.plugin.OfferedService;
import roll.runtime.plugin.PluginRegistry;
import roll.shell.command.Arguments;
import roll.shell.command.Command;
import roll.shell.command.RollCommand;
import roll.shell.command.Syntax;
import roll.shell.command.Syntax.Word;
import roll.shell.terminal.Table;

/** {@code services}: lists the registered plugins, and the bundle of each. */
@Component(name = "roll.shell.services", service = Command.class)
@RollCommand(function = "services")
public final class ServicesCommand extends Command {
  /** Arguments and options of the command {@code services}. */
  static final Syntax SYNTAX =
      new Syntax(
          "services",
          "Lists the registered plugins: kind, id, bundle, version, and the file if deployed.",
          List.of(Word.optional("kind", "only this kind, such as roll.env")),
          List.of());

  private final PluginRegistry plugins;

  /** Creates the command with {@code plugins}. */
  @Activate
  public ServicesCommand(@Reference PluginRegistry plugins) {
    super(SYNTAX);
    this.plugins = plugins;
  }

  /** Returns the table, sorted by kind and id. */
  @Override
  protected String run(CommandSession session, Arguments given) {
    String only = given.optional(0);
    List<String> kinds = plugins.kinds();
    if (only != null && !kinds.contains(only)) {
      throw SYNTAX.wrong("no kind '" + only + "' (allowed: " + String.join(", ", kinds) + ")");
    }
    Table table = new Table().row("kind", "id", "bundle", "version", "from");
    for (String kind : only == null ? kinds : List.of(only)) {
      for (OfferedService service : plugins.offered(kind)) {
        table.row(
            kind,
            String.join(", ", service.ids()),
            service.bundle(),
            service.version(),
            service.from());
      }
    }
    return table.sorted().toString();
  }
}
