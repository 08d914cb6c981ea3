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
   * about to go can be leased only while others lease it: what has begun with it continues with it.
   *
   * @param type contract of the service
   * @param kind namespace of the names, such as {@code roll.env}
   */
  <T> @Nullable Lease<T> lease(Class<T> type, String kind, String name);

  /** Names of the services of {@code type} that are there and not about to go, sorted. */
  List<String> names(Class<?> type, String kind);

  /**
   * A lease of a service that must be there.
   *
   * @param where the key of the configuration that names it
   * @param others what may be said too, though no service has it for a name
   * @throws MissingPluginException listing the registered names, or naming the bundle that the
   *     distribution lacks
   */
  <T> Lease<T> require(String where, Class<T> type, String kind, String name, String... others);
}
