package roll.api.sandbox;

import org.osgi.annotation.versioning.ConsumerType;

/**
 * Runs programs that nobody trusts: no files, no network, no processes, no way into the host.
 * Called from many threads at once.
 */
@ConsumerType
public interface Sandbox {
  /** One sentence: the language, and how it is shut in. */
  String description();

  /**
   * One line: what stops programs here, on this machine, and what is missing of that.
   *
   * @throws roll.api.option.UserException if this machine cannot shut them in as {@code isolation}
   *     asks
   */
  default String boundaries(Isolation isolation) {
    return description();
  }

  /**
   * A place where one program after the other runs, each with what the last left behind.
   *
   * @throws roll.api.option.UserException as {@link #boundaries} does
   */
  SandboxSession open(SandboxLimits limits);
}
