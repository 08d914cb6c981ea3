package roll.runtime.nodes;

import org.osgi.annotation.versioning.ProviderType;

/**
 * The output of a node for its user: a service while this process is a node of a run. Thread-safe.
 */
@ProviderType
@FunctionalInterface
public interface NodeConsole {
  /** Prints one line. */
  void say(String line);
}
