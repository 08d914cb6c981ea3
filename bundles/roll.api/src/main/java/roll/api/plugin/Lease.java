package roll.api.plugin;

import org.osgi.annotation.versioning.ProviderType;

/**
 * A plugin in use. Its bundle is neither stopped nor updated before the lease is closed, so a lease
 * is short: a step of training, a rollout. Who keeps one longer looks at {@link #outdated} between
 * two steps.
 */
@ProviderType
public interface Lease<T> extends AutoCloseable {
  /** The plugin; not to be used after {@link #close}. */
  T service();

  /** Symbolic name and version of the bundle it comes from. */
  String bundle();

  /** Whether the plugin is about to go, or another has taken its place. */
  boolean outdated();

  /** Gives the plugin back; closing twice does nothing more. */
  @Override
  void close();
}
