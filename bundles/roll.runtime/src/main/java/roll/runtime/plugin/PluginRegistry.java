package roll.runtime.plugin;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.osgi.annotation.versioning.ProviderType;
import roll.api.plugin.Lease;
import roll.api.plugin.MissingPluginException;
import roll.api.plugin.Plugins;

/** {@link Plugins} with the bundles that offer plugins, and the reasons why plugins are missing. */
@ProviderType
public interface PluginRegistry extends Plugins {
  /**
   * The bundle of this project that offers a plugin of that name and that the distribution lacks;
   * null if there is none or it is unknown.
   */
  default @Nullable String lacking(String kind, String name) {
    return null;
  }

  /**
   * Why a plugin is unavailable, in one line: of a registered one what names its bundle, such as a
   * component whose constructor throws; of none what another system means by the name, if that is
   * known. Null if it is available, or nothing is known of it.
   */
  default @Nullable String trouble(Class<?> type, String kind, String name) {
    return null;
  }

  /**
   * Returns the registered services of one kind by name, including unavailable ones; creates none.
   * Empty by default.
   *
   * @param kind namespace of the names, such as {@code roll.env}
   */
  default List<OfferedService> offered(String kind) {
    return List.of();
  }

  /** Returns the namespaces of all kinds, stock and custom, sorted. */
  default List<String> kinds() {
    return PluginKinds.namespaces(names(PluginKinds.TYPE, PluginKinds.NAMESPACE));
  }

  @Override
  default <T> Lease<T> require(
      String where, Class<T> type, String kind, String name, String... others) {
    Lease<T> lease = lease(type, kind, name);
    if (lease == null) {
      String trouble = trouble(type, kind, name);
      if (trouble != null) {
        throw new MissingPluginException(where + ": " + trouble, type, kind, name);
      }
      String bundle = lacking(kind, name);
      throw bundle == null
          ? MissingPlugin.plugin(where, type, kind, name, names(type, kind), others)
          : MissingPlugin.bundle(where, type, kind, name, bundle);
    }
    return lease;
  }
}
