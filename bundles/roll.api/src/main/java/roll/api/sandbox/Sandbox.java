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

  /** A place where one program after the other runs, each with what the last left behind. */
  SandboxSession open(SandboxLimits limits);
}
