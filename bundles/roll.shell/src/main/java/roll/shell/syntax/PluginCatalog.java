package roll.shell.syntax;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import roll.api.option.UserException;
import roll.runtime.plugin.ServiceNames;
import roll.shell.terminal.Table;
import roll.text.Suggestion;

/**
 * The registered plugins of one kind by each of their names.
 *
 * @param <T> type of the plugins
 */
public final class PluginCatalog<T> {
  private final String command;
  private final String kind;
  private final Map<String, Named<T>> byName = new TreeMap<>();

  /**
   * A registered plugin with its names.
   *
   * @param names the first is the canonical one
   */
  public record Named<T>(List<String> names, T plugin) {}

  /**
   * A catalog of {@code services}, each with its service properties.
   *
   * @param command for messages; {@code roll.<command>} is the property with the names
   * @param kind what messages call such a plugin
   */
  public PluginCatalog(
      String command, String kind, List<Map.Entry<Map<String, Object>, T>> services) {
    this.command = command;
    this.kind = kind;
    for (var service : services) {
      List<String> names = ServiceNames.all(service.getKey().get("roll." + command));
      names.forEach(name -> byName.put(name, new Named<>(names, service.getValue())));
    }
  }

  /** Returns every plugin once, sorted by canonical name. */
  public List<Named<T>> all() {
    return byName.entrySet().stream()
        .filter(entry -> entry.getKey().equals(entry.getValue().names().getFirst()))
        .map(Map.Entry::getValue)
        .toList();
  }

  /** Returns a table of all plugins: id, {@code summary} under {@code heading}, other names. */
  public String table(String heading, Function<T, String> summary) {
    Table table = new Table().row("id", heading, "also called");
    for (Named<T> named : all()) {
      List<String> others = named.names().subList(1, named.names().size());
      table.row(named.names().getFirst(), summary.apply(named.plugin()), String.join(", ", others));
    }
    return table.toString();
  }

  /**
   * Returns the registered plugin called {@code name}.
   *
   * @throws UserException with the known names, if there is none
   */
  public Named<T> find(String name) {
    Named<T> found = byName.get(name);
    if (found == null) {
      List<String> known = new ArrayList<>(byName.keySet());
      throw new UserException(
          "%s: no %s '%s' (registered: %s)%s"
              .formatted(
                  command,
                  kind,
                  name,
                  known.isEmpty() ? "none" : String.join(", ", known),
                  Suggestion.near(name, known)));
    }
    return found;
  }
}
