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
 * The reasons why registered plugins are unavailable. The check creates the plugin, so it is done
 * once per service, and repeated after a while for unavailable ones.
 */
final class UnavailablePlugins {
  private static final long RETRY_NANOS = 10_000_000_000L;

  private final Map<Key, Reason> known = new HashMap<>();

  /** Key of a registered service under one of its names. */
  private record Key(long number, String id) {}

  /** The result of a check, and its time. */
  private record Reason(@Nullable String line, long since) {
    boolean isValid() {
      return line == null || System.nanoTime() - since < RETRY_NANOS;
    }
  }

  /** Returns the reason for {@code id} of {@code service}; null if it is available. */
  @Nullable String of(OfferedService service, String id, PluginRegistry plugins) {
    Key key = new Key(service.number(), id);
    Reason reason = known.get(key);
    if (reason == null || !reason.isValid()) {
      reason = new Reason(ask(service, id, plugins), System.nanoTime());
      known.put(key, reason);
    }
    return reason.line();
  }

  /**
   * Asks the registry, which answers for the best service of a name: ignores that of another
   * bundle.
   */
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

  /** Drops all services but those of {@code numbers}. */
  void retain(Set<Long> numbers) {
    known.keySet().removeIf(key -> !numbers.contains(key.number()));
  }
}
