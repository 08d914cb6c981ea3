package roll.api.plugin;

import org.osgi.annotation.versioning.ProviderType;

/**
 * A plugin in use. Its bundle is neither stopped nor updated before the lease is closed, so leases
 * are short: a training step, a rollout. A holder that keeps one longer checks {@link #outdated}
 * between steps.
 */
@ProviderType
public interface Lease<T> extends AutoCloseable {
  /** The plugin; must not be used after {@link #close}. */
  T service();

  /** Symbolic name and version of the lease's bundle. */
  String bundle();

  /** Whether the plugin is about to be stopped, or was superseded by another. */
  boolean outdated();

  /** Releases the plugin; calling it again has no effect. */
  @Override
  void close();
}
