package roll.shell.algorithm;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import roll.api.option.UserException;
import roll.runtime.plugin.ServiceNames;
import roll.shell.terminal.Table;
import roll.text.Suggestion;

/** The registered plugins of one kind, by each of their names. */
final class PluginCatalog<T> {
  private final String kind;
  private final Map<String, Named<T>> byName = new TreeMap<>();

  /**
   * A plugin with its names.
   *
   * @param names the first is the canonical one
   */
  record Named<T>(List<String> names, T plugin) {}

  /**
   * Of {@code services}, each with its properties.
   *
   * @param kind as in {@code roll.<kind>}, the property that names them
   */
  PluginCatalog(String kind, List<Map.Entry<Map<String, Object>, T>> services) {
    this.kind = kind;
    for (var service : services) {
      List<String> names = ServiceNames.all(service.getKey().get("roll." + kind));
      names.forEach(name -> byName.put(name, new Named<>(names, service.getValue())));
    }
  }

  /** Every plugin once, by its canonical name. */
  List<Named<T>> all() {
    return byName.entrySet().stream()
        .filter(entry -> entry.getKey().equals(entry.getValue().names().getFirst()))
        .map(Map.Entry::getValue)
        .toList();
  }

  /** A table of all of them: id, what {@code summary} says, other names. */
  String table(Function<T, String> summary) {
    Table table = new Table().row("id", "computes", "also called");
    for (Named<T> named : all()) {
      List<String> others = named.names().subList(1, named.names().size());
      table.row(named.names().getFirst(), summary.apply(named.plugin()), String.join(", ", others));
    }
    return table.toString();
  }

  /**
   * The plugin of that name.
   *
   * @throws UserException listing the names there are
   */
  Named<T> find(String name) {
    Named<T> found = byName.get(name);
    if (found == null) {
      List<String> known = new ArrayList<>(byName.keySet());
      throw new UserException(
          "%s: no %s '%s' (registered: %s)%s"
              .formatted(
                  kind,
                  kind,
                  name,
                  known.isEmpty() ? "none" : String.join(", ", known),
                  Suggestion.near(name, known)));
    }
    return found;
  }
}
