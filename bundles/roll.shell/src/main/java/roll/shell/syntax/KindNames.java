package roll.shell.syntax;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import roll.runtime.plugin.PluginKinds;
import roll.runtime.plugin.RegisteredKind;
import roll.runtime.plugin.RegisteredKind.Lifetime;
import roll.runtime.plugin.StockKinds;

/** What kinds of plugins are called: the stock ones and those of one's own. */
public final class KindNames {
  private KindNames() {}

  /** The namespace of each kind that a configuration names, by the kind's name. */
  public static Map<String, String> swapped(List<String> own) {
    Map<String, String> swapped = new LinkedHashMap<>();
    StockKinds.ALL.stream()
        .filter(kind -> kind.lifetime() != Lifetime.OTHER)
        .forEach(kind -> swapped.put(kind.name(), kind.namespace()));
    own.forEach(kind -> swapped.put(kind, PluginKinds.namespace(kind)));
    return swapped;
  }

  /** The namespace of the names that a key ending in {@code key} may have, or the empty text. */
  public static String namespaceOf(String key) {
    return StockKinds.ALL.stream()
        .filter(kind -> !key.isEmpty() && kind.key().equals(key))
        .map(RegisteredKind::namespace)
        .findFirst()
        .orElse("");
  }
}
