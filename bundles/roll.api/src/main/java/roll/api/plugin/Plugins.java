package roll.api.plugin;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Finds plugins by the names a configuration gives them, and keeps them while they are in use: a
 * plugin that goes away waits until every {@link Lease} of it is given back.
 */
@ProviderType
public interface Plugins {
  /**
   * A lease of the service whose property {@code kind} is {@code name}, or null if there is none at
   * this moment. Of several the one with the highest ranking, of those the oldest. One that is
   * about to go can be leased only while others lease it: what has begun with it goes on with it.
   *
   * @param type contract of the service
   * @param kind namespace of the names, such as {@code roll.env}
   */
  <T> @Nullable Lease<T> lease(Class<T> type, String kind, String name);

  /** Names of the services of {@code type} that are there and not about to go, sorted. */
  List<String> names(Class<?> type, String kind);

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

  /**
   * A lease of a service that must be there.
   *
   * @param where the key of the configuration that names it
   * @param others what may be said too, though no service has it for a name
   * @throws MissingPluginException listing the registered names, or naming the bundle that the
   *     distribution lacks
   */
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
