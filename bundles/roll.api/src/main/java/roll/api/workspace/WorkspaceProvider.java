package roll.api.workspace;

import org.osgi.annotation.versioning.ConsumerType;
import roll.api.sandbox.Isolation;

/**
 * Makes directory trees in which commands run without access to the rest of the machine. Called
 * from many threads at once.
 */
@ConsumerType
public interface WorkspaceProvider {
  /** One sentence about where commands run and how they are isolated. */
  String description();

  /** Whether templates may name images; otherwise commands see the programs of this machine. */
  default boolean images() {
    return false;
  }

  /**
   * One line about the isolation on this machine and what is missing.
   *
   * @throws roll.api.option.UserException if this machine does not support {@code isolation}
   */
  String boundaries(Isolation isolation);

  /**
   * Opens a pool of at most {@code size} workspaces at a time.
   *
   * @throws roll.api.option.UserException as {@link #boundaries} does
   */
  WorkspacePool open(WorkspaceLimits limits, int size);
}
