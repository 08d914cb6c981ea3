package roll.ui.system;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import roll.runtime.plugin.OfferedService;
import roll.runtime.plugin.PluginKinds;
import roll.runtime.plugin.PluginRegistry;
import roll.runtime.plugin.RegisteredKind;
import roll.runtime.plugin.StockKinds;

/**
 * Why registered plugins cannot be had. To ask that creates a plugin that nobody has needed yet, so
 * it is asked once of each service; one that could not be had is asked again after a while.
 */
final class TroubleLines {
  private static final long AGAIN = 10_000_000_000L;

  private final Map<Key, Said> known = new HashMap<>();

  /** A name of a service. */
  private record Key(long number, String id) {}

  /** What was said of it, and when. */
  private record Said(@Nullable String line, long since) {
    boolean holds() {
      return line == null || System.nanoTime() - since < AGAIN;
    }
  }

  /** The line for {@code id} of {@code service}; null if it can be had. */
  @Nullable String of(OfferedService service, String id, PluginRegistry plugins) {
    Key key = new Key(service.number(), id);
    Said said = known.get(key);
    if (said == null || !said.holds()) {
      said = new Said(ask(service, id, plugins), System.nanoTime());
      known.put(key, said);
    }
    return said.line();
  }

  /** The registry answers for the best service of a name, which may be another bundle's. */
  private static @Nullable String ask(OfferedService service, String id, PluginRegistry plugins) {
    for (Class<?> type : types(service.kind(), plugins)) {
      String line = plugins.trouble(type, service.kind(), id);
      if (line != null && line.contains(service.bundle() + " " + service.version())) {
        return line;
      }
    }
    return null;
  }

  private static List<Class<?>> types(String namespace, PluginRegistry plugins) {
    if (namespace.equals(PluginKinds.NAMESPACE)) {
      return List.of(PluginKinds.TYPE);
    }
    List<RegisteredKind<?>> stock =
        StockKinds.ALL.stream().filter(kind -> kind.namespace().equals(namespace)).toList();
    if (!stock.isEmpty()) {
      return List.copyOf(stock.stream().<Class<?>>map(kind -> kind.kind().type()).toList());
    }
    try (PluginKinds kinds = PluginKinds.of(plugins)) {
      return kinds.own().stream()
          .filter(kind -> kind.namespace().equals(namespace))
          .<Class<?>>map(kind -> kind.kind().type())
          .toList();
    }
  }

  /** Forgets the services that are none of {@code numbers}. */
  void keep(Set<Long> numbers) {
    known.keySet().removeIf(key -> !numbers.contains(key.number()));
  }
}
