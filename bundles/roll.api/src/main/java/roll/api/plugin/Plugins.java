package roll.api.plugin;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Finds plugins by their names in the configuration and keeps them while in use: a plugin stops
 * only after every {@link Lease} of it is closed.
 */
@ProviderType
public interface Plugins {
  /**
   * Leases the service whose property {@code kind} is {@code name}, or returns null if there is
   * none. Of several services it chooses the highest ranking, then the oldest. A service about to
   * stop can be leased only while other leases of it are open, so that work continues with the
   * plugin it began with.
   *
   * @param type contract of the service
   * @param kind namespace of the names, such as {@code roll.env}
   */
  <T> @Nullable Lease<T> lease(Class<T> type, String kind, String name);

  /** Sorted names of the services of {@code type} that are available and not about to stop. */
  List<String> names(Class<?> type, String kind);

  /**
   * Leases a required plugin service.
   *
   * @param where the configuration key that names it
   * @param others further allowed values that are not services, for the message
   * @throws MissingPluginException listing the registered names, or naming the bundle missing from
   *     the distribution
   */
  <T> Lease<T> require(String where, Class<T> type, String kind, String name, String... others);
}
