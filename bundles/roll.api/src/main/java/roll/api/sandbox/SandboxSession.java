package roll.api.sandbox;

import org.osgi.annotation.versioning.ConsumerType;

/** A place where programs run, one at a time. After one that was stopped the next begins afresh. */
@ConsumerType
public interface SandboxSession extends AutoCloseable {
  /**
   * Runs {@code program} to its end, or to the limits' end; never throws for what it does.
   *
   * @throws InterruptedException if interrupted; the program is stopped
   */
  Execution run(String program) throws InterruptedException;

  @Override
  void close();
}
