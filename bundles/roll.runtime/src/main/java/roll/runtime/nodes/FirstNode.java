package roll.runtime.nodes;

import java.time.Duration;
import org.osgi.annotation.versioning.ProviderType;

/** The first node of a run, until it is closed. */
@ProviderType
public interface FirstNode extends AutoCloseable {
  /** Returns the command that joins this run from another machine while the token is valid. */
  String joinLine();

  /**
   * Waits until the given number of nodes has joined, this one included, and reports how many are
   * missing.
   *
   * @throws InterruptedException if the thread was interrupted
   */
  void await(int nodes) throws InterruptedException;

  /**
   * Waits until so many nodes are there, but no longer than {@code limit}.
   *
   * @return how many are there, this one among them
   * @throws InterruptedException if the thread was interrupted
   */
  int await(int nodes, Duration limit) throws InterruptedException;

  /** Leaves the run: the other nodes end. */
  @Override
  void close();
}
