package roll.testkit;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import roll.api.plugin.Lease;
import roll.runtime.plugin.PluginRegistry;

/** A plugin registry filled by a test, without a framework. */
public final class InMemoryPluginRegistry implements PluginRegistry {
  private final Map<String, Map<String, Object>> kinds = new LinkedHashMap<>();
  private int leased;

  /** Registers {@code plugin} as {@code name}, replacing another one; returns this registry. */
  public InMemoryPluginRegistry with(String kind, String name, Object plugin) {
    kinds.computeIfAbsent(kind, key -> new TreeMap<>()).put(name, plugin);
    return this;
  }

  /** Returns the number of open leases. */
  public synchronized int leased() {
    return leased;
  }

  @Override
  public <T> @Nullable Lease<T> lease(Class<T> type, String kind, String name) {
    Object plugin = kinds.getOrDefault(kind, Map.of()).get(name);
    return type.isInstance(plugin) ? new CountedLease<>(kind, name, type.cast(plugin)) : null;
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

  /** A lease, outdated when another plugin has the name. */
  private final class CountedLease<T> implements Lease<T> {
    private final String kind;
    private final String name;
    private final T plugin;
    private boolean open = true;

    CountedLease(String kind, String name, T plugin) {
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
