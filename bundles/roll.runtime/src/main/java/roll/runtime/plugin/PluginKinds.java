package roll.runtime.plugin;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;
import roll.api.plugin.Lease;
import roll.api.plugin.Plugins;
import roll.runtime.config.NamedPlugin;
import roll.runtime.config.PluginConfig;
import roll.runtime.plugin.RegisteredKind.Lifetime;

/** All currently registered kinds of plugins: the stock ones and those of {@link RollKind}. */
public final class PluginKinds implements AutoCloseable {
  /** Namespace of the names of kinds. */
  public static final String NAMESPACE = "roll.kind";

  /** The service interface of plugin kinds. */
  @SuppressWarnings("unchecked") // a kind of any contract
  public static final Class<PluginKind<?>> TYPE =
      (Class<PluginKind<?>>) (Class<?>) PluginKind.class;

  /** The configuration key of the plugins of custom kinds. */
  public static final String KEY = "plugins";

  private final List<RegisteredKind<?>> own = new ArrayList<>();
  private final List<Lease<?>> leases = new ArrayList<>();

  private PluginKinds() {}

  /** Creates the registry of the kinds among {@code plugins}, leased until closed. */
  public static PluginKinds of(Plugins plugins) {
    PluginKinds kinds = new PluginKinds();
    for (String name : plugins.names(TYPE, NAMESPACE)) {
      Lease<PluginKind<?>> lease = plugins.lease(TYPE, NAMESPACE, name);
      if (lease != null) { // else it has just gone
        kinds.leases.add(lease);
        kinds.own.add(own(name, lease.service()));
      }
    }
    return kinds;
  }

  /**
   * Leases the custom kind {@code name}.
   *
   * @throws roll.api.option.UserException listing the registered kinds if it is not registered
   */
  public static Lease<PluginKind<?>> require(Plugins plugins, String name) {
    return plugins.require(KEY, TYPE, NAMESPACE, name);
  }

  /** Returns the custom plugin kinds, by name. */
  public List<RegisteredKind<?>> own() {
    return List.copyOf(own);
  }

  /**
   * Returns the plugin kinds that a configuration can name: the stock ones first, then others by
   * name.
   */
  public List<RegisteredKind<?>> named() {
    return Stream.concat(StockKinds.ALL.stream(), own.stream())
        .filter(kind -> kind.lifetime() != Lifetime.OTHER)
        .toList();
  }

  /**
   * The kinds of {@link #named} with the name or namespace {@code given}, the latter with or
   * without the prefix {@code roll.}; names take precedence.
   */
  public List<RegisteredKind<?>> called(String given) {
    Predicate<RegisteredKind<?>> byName = kind -> kind.name().equals(given);
    Predicate<RegisteredKind<?>> byNamespace =
        kind -> kind.namespace().equals(given) || kind.namespace().equals(namespace(given));
    boolean known = named().stream().anyMatch(byName);
    return named().stream().filter(known ? byName : byNamespace).toList();
  }

  /** Returns the namespace of the plugins of the custom kind {@code kind}. */
  public static String namespace(String kind) {
    return "roll." + kind;
  }

  /**
   * Returns the namespaces of the plugins of all kinds, that of kinds among them, sorted.
   *
   * @param custom names of the custom kinds
   */
  public static List<String> namespaces(List<String> custom) {
    TreeSet<String> namespaces = new TreeSet<>();
    StockKinds.ALL.forEach(kind -> namespaces.add(kind.namespace()));
    namespaces.add(NAMESPACE);
    custom.forEach(kind -> namespaces.add(namespace(kind)));
    return List.copyOf(namespaces);
  }

  /** Returns the configuration key that names {@code plugin}. */
  public static NamedPlugin named(PluginConfig plugin) {
    return new NamedPlugin(KEY + "." + plugin.kind(), namespace(plugin.kind()), plugin.name());
  }

  private static <S> RegisteredKind<S> own(String name, PluginKind<S> kind) {
    return new RegisteredKind<>(
        name, namespace(name), Lifetime.STEP, "", kind, run -> CustomKindReferences.of(run, name));
  }

  @Override
  public void close() {
    leases.forEach(Lease::close);
  }
}
