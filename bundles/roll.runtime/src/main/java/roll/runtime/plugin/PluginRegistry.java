package roll.runtime.plugin;

import org.jspecify.annotations.Nullable;
import org.osgi.annotation.versioning.ProviderType;
import roll.api.plugin.Lease;
import roll.api.plugin.MissingPluginException;
import roll.api.plugin.Plugins;

/** {@link Plugins} that also know why one is not there. */
@ProviderType
public interface PluginRegistry extends Plugins {
  /**
   * The bundle of this project that offers a plugin of that name and that the distribution lacks;
   * null where there is none, or where nobody knows of one.
   */
  default @Nullable String lacking(String kind, String name) {
    return null;
  }

  /**
   * Why a plugin that is registered cannot be had, in one line that names its bundle, such as a
   * component whose constructor throws; null where there is none of that name, or nothing is wrong.
   */
  default @Nullable String trouble(Class<?> type, String kind, String name) {
    return null;
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
          ? Missing.plugin(where, type, kind, name, names(type, kind), others)
          : Missing.bundle(where, type, kind, name, bundle);
    }
    return lease;
  }
}
