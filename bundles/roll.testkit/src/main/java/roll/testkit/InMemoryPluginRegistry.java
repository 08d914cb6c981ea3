package roll.testkit;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import roll.api.plugin.Lease;
import roll.runtime.plugin.PluginRegistry;

/** Plugins that were put there by hand: the registry of a test without a framework. */
public final class InMemoryPluginRegistry implements PluginRegistry {
  private final Map<String, Map<String, Object>> kinds = new LinkedHashMap<>();
  private int leased;

  /** Puts {@code plugin} there as {@code name}, in the place of one that had it; this shelf. */
  public InMemoryPluginRegistry with(String kind, String name, Object plugin) {
    kinds.computeIfAbsent(kind, key -> new TreeMap<>()).put(name, plugin);
    return this;
  }

  /** How many leases are open. */
  public synchronized int leased() {
    return leased;
  }

  @Override
  public <T> @Nullable Lease<T> lease(Class<T> type, String kind, String name) {
    Object plugin = kinds.getOrDefault(kind, Map.of()).get(name);
    return type.isInstance(plugin) ? new Taken<>(kind, name, type.cast(plugin)) : null;
  }

  @Override
  public List<String> names(Class<?> type, String kind) {
    return kinds.getOrDefault(kind, Map.of()).entrySet().stream()
        .filter(plugin -> type.isInstance(plugin.getValue()))
        .map(Map.Entry::getKey)
        .toList();
  }

  private synchronized void count(int more) {
    leased += more;
  }

  /** A lease that is outdated when something else has the name. */
  private final class Taken<T> implements Lease<T> {
    private final String kind;
    private final String name;
    private final T plugin;
    private boolean open = true;

    Taken(String kind, String name, T plugin) {
      this.kind = kind;
      this.name = name;
      this.plugin = plugin;
      count(1);
    }

    @Override
    public T service() {
      return plugin;
    }

    @Override
    public String bundle() {
      return "shelf 1.0.0";
    }

    @Override
    public boolean outdated() {
      return !plugin.equals(kinds.getOrDefault(kind, Map.of()).get(name));
    }

    @Override
    public void close() {
      if (open) {
        open = false;
        count(-1);
      }
    }
  }
}
