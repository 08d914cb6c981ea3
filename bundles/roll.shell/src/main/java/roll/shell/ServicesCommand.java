package roll.shell;

import java.util.List;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Descriptor;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.runtime.plugin.OfferedService;
import roll.runtime.plugin.PluginRegistry;
import roll.shell.syntax.Arguments;
import roll.shell.syntax.RollCommand;
import roll.shell.syntax.Syntax;
import roll.shell.syntax.Syntax.Word;
import roll.shell.terminal.Table;

/** {@code services}: what a configuration can name at this moment, and who offers it. */
@Component(name = "roll.shell.services", service = ServicesCommand.class)
@RollCommand(function = "services", description = ServicesCommand.SUMMARY)
public final class ServicesCommand {
  static final String SUMMARY =
      "Lists the registered plugins: kind, id, bundle, version, and the file if deployed.";

  /** How it is called. */
  public static final Syntax SYNTAX =
      new Syntax(
          "services",
          SUMMARY,
          List.of(Word.optional("kind", "only this kind, such as roll.env")),
          List.of());

  private final PluginRegistry plugins;

  /** A command on what {@code plugins} sees. */
  @Activate
  public ServicesCommand(@Reference PluginRegistry plugins) {
    this.plugins = plugins;
  }

  /** The table, sorted by kind and id. */
  @Descriptor(SUMMARY)
  public String services(CommandSession session, @Descriptor("[kind]") String... arguments) {
    Arguments given = SYNTAX.read(arguments);
    if (given.help()) {
      return SYNTAX.help();
    }
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
