package roll.shell;

import java.util.List;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Descriptor;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import roll.runtime.plugin.PluginKinds;
import roll.shell.syntax.Arguments;
import roll.shell.syntax.KindNames;
import roll.shell.syntax.RollCommand;
import roll.shell.syntax.ServiceNames;
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

  private final BundleContext context;

  /** A command on the service registry that {@code context} sees. */
  @Activate
  public ServicesCommand(BundleContext context) {
    this.context = context;
  }

  /** The table, sorted by kind and id. */
  @Descriptor(SUMMARY)
  public String services(CommandSession session, @Descriptor("[kind]") String... arguments) {
    Arguments given = SYNTAX.read(arguments);
    if (given.help()) {
      return SYNTAX.help();
    }
    String only = given.optional(0);
    List<String> kinds = KindNames.namespaces(ids(PluginKinds.NAMESPACE));
    if (only != null && !kinds.contains(only)) {
      throw SYNTAX.wrong("no kind '" + only + "' (allowed: " + String.join(", ", kinds) + ")");
    }
    Table table = new Table().row("kind", "id", "bundle", "version", "from");
    for (String kind : only == null ? kinds : List.of(only)) {
      addAll(kind, table);
    }
    return table.sorted().toString();
  }

  private void addAll(String kind, Table table) {
    for (ServiceReference<?> reference : references(kind)) {
      Bundle bundle = reference.getBundle();
      if (bundle != null) { // null: unregistered a moment ago
        table.row(
            kind,
            ServiceNames.of(reference.getProperty(kind)),
            String.valueOf(bundle.getSymbolicName()),
            bundle.getVersion().toString(),
            Origin.of(context, bundle));
      }
    }
  }

  private List<String> ids(String kind) {
    return references(kind).stream()
        .flatMap(reference -> ServiceNames.all(reference.getProperty(kind)).stream())
        .toList();
  }

  private List<ServiceReference<?>> references(String kind) {
    try {
      ServiceReference<?>[] found = context.getAllServiceReferences(null, "(" + kind + "=*)");
      return found == null ? List.of() : List.of(found);
    } catch (InvalidSyntaxException e) {
      throw new IllegalStateException(e); // the kinds above make right filters
    }
  }
}
