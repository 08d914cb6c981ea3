package roll.runtime.command;

import org.osgi.annotation.versioning.ProviderType;

/**
 * Ctrl-C, for commands that take long and must end in order. Without it the interactive shell gives
 * the command up: it returns to its prompt while the command still runs.
 */
@ProviderType
public interface Interrupts {
  /** Handler without interrupts: Ctrl-C acts as the shell sends it. */
  Interrupts NONE = () -> () -> {};

  /**
   * From now until the result is closed Ctrl-C interrupts the calling thread and nothing else; a
   * second one ends the process.
   */
  Watch watch();

  /** Watch for Ctrl-C that ends with {@link #close}. */
  @ProviderType
  interface Watch extends AutoCloseable {
    @Override
    void close();
  }
}
