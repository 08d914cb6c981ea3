package roll.shell.algorithm;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.felix.service.command.CommandSession;
import roll.shell.command.Arguments;
import roll.shell.command.Command;
import roll.shell.command.Syntax;
import roll.shell.command.Syntax.Option;
import roll.shell.command.Syntax.Word;
import roll.shell.syntax.PluginCatalog;
import roll.shell.syntax.PluginCatalog.Named;
import roll.shell.syntax.UserPath;
import roll.shell.terminal.Json;

/**
 * A command that lists the registered plugins of one algorithm, shows one, and computes a batch.
 *
 * @param <T> type of the plugins
 */
abstract class AlgorithmCommand<T> extends Command {
  private final PluginCatalog<T> plugins;
  private final Function<T, String> summary;

  AlgorithmCommand(
      Syntax syntax,
      List<Map.Entry<Map<String, Object>, T>> services,
      Function<T, String> summary) {
    super(syntax);
    this.plugins = new PluginCatalog<>(syntax.name(), syntax.name(), services);
    this.summary = summary;
  }

  /** Returns the syntax of a command that lists plugins of an algorithm. */
  static Syntax syntax(String name, String plugins, String columns, String keys) {
    return new Syntax(
        name,
        "Lists %s, shows one, or computes a batch: %s list, show <id>, try <id> <batch.json>."
            .formatted(plugins, name),
        List.of(
            Word.one("list|show|try", "list all, show one with an example, or compute a batch"),
            Word.optional("id", "of the " + name),
            Word.optional("batch.json", columns),
            Word.any("key=value", keys + ", or an option of the " + name)),
        List.of(Option.flag("--json", "print list or show as one line of JSON")));
  }

  /** Returns the fields of {@code plugin} in {@code list --json}. */
  abstract Map<String, Object> json(Named<T> plugin);

  /** Returns the text of {@code show}, or the fields of {@code show --json}. */
  abstract Object page(Named<T> plugin, boolean json);

  /** Returns what {@code plugin} computes of the batch in {@code file}, as printed in JSON. */
  abstract Object tried(T plugin, Path file, List<String> settings);

  @Override
  protected final String run(CommandSession session, Arguments given) {
    boolean json = given.flag("--json");
    String action = given.word(0);
    int words = given.words().size();
    if (action.equals("list") && words == 1) {
      return json
          ? Json.line(plugins.all().stream().map(this::json).toList())
          : plugins.table("computes", summary);
    }
    if (action.equals("show") && words == 2) {
      Object page = page(plugins.find(given.word(1)), json);
      return json ? Json.line(page) : page.toString();
    }
    if (action.equals("try") && words >= 3) {
      Path file = UserPath.of(session, given.word(2));
      return Json.line(tried(plugins.find(given.word(1)).plugin(), file, given.from(3)));
    }
    throw syntax().wrong("expected list, show <id> or try <id> <batch.json> [key=value …]");
  }
}
