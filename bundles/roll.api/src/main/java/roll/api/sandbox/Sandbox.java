package roll.api.sandbox;

import org.osgi.annotation.versioning.ConsumerType;

/**
 * Runs untrusted programs without access to files, network, processes, and the host. Called from
 * many threads at once.
 */
@ConsumerType
public interface Sandbox {
  /** One sentence about the language and the isolation. */
  String description();

  /**
   * One line about the isolation on this machine and what is missing.
   *
   * @throws roll.api.option.UserException if this machine does not support {@code isolation}
   */
  default String boundaries(Isolation isolation) {
    return description();
  }

  /**
   * Opens a session in which programs run one after the other and share state.
   *
   * @throws roll.api.option.UserException as {@link #boundaries} does
   */
  SandboxSession open(SandboxLimits limits);
}
