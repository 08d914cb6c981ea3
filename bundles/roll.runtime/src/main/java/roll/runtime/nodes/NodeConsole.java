package roll.runtime.nodes;

import org.osgi.annotation.versioning.ProviderType;

/**
 * The output of a node for its user: a service while this process is a node of a run. Thread-safe.
 */
@ProviderType
@FunctionalInterface
public interface NodeConsole {
  /** Prints one line for the user of the node. */
  void say(String line);
}
