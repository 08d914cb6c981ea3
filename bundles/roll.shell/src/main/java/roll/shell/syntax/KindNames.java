package roll.shell.syntax;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import roll.runtime.plugin.PluginKinds;
import roll.runtime.plugin.RegisteredKind;
import roll.runtime.plugin.RegisteredKind.Lifetime;
import roll.runtime.plugin.StockKinds;

/** Names of plugin kinds: the built-in ones and those that plugins add. */
public final class KindNames {
  private KindNames() {}

  /** Returns the namespace of each kind that a configuration can name, by kind. */
  public static Map<String, String> swapped(List<String> own) {
    Map<String, String> swapped = new LinkedHashMap<>();
    StockKinds.ALL.stream()
        .filter(kind -> kind.lifetime() != Lifetime.OTHER)
        .forEach(kind -> swapped.put(kind.name(), kind.namespace()));
    own.forEach(kind -> swapped.put(kind, PluginKinds.namespace(kind)));
    return swapped;
  }

  /** Returns the namespace of the values of keys ending in {@code key}, or the empty text. */
  public static String namespaceOf(String key) {
    return StockKinds.ALL.stream()
        .filter(kind -> !key.isEmpty() && kind.key().equals(key))
        .map(RegisteredKind::namespace)
        .findFirst()
        .orElse("");
  }
}
