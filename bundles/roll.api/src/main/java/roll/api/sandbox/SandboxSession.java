package roll.api.sandbox;

import org.osgi.annotation.versioning.ConsumerType;

/**
 * A session that runs programs one at a time. After a program was stopped, the next starts with a
 * fresh state.
 */
@ConsumerType
public interface SandboxSession extends AutoCloseable {
  /**
   * Runs {@code program} until it ends or exceeds a limit; errors of the program are returned, not
   * thrown.
   *
   * @throws InterruptedException if interrupted; the program is stopped
   */
  Execution run(String program) throws InterruptedException;

  @Override
  void close();
}
