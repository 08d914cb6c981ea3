package roll.runtime.nodes;

import org.osgi.annotation.versioning.ProviderType;

/**
 * Where a node tells its user what happens: a service while this process is a node of a run. Can be
 * used by all threads.
 */
@ProviderType
@FunctionalInterface
public interface NodeConsole {
  /** Tells one line. */
  void say(String line);
}
