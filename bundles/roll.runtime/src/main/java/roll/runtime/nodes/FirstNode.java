package roll.runtime.nodes;

import org.osgi.annotation.versioning.ProviderType;

/** The first node of a run, until it is closed. */
@ProviderType
public interface FirstNode extends AutoCloseable {
  /** What to type on another machine to join, for as long as the token is good. */
  String joinLine();

  /**
   * Waits until so many nodes are there, this one among them, and says whenever one is missing.
   *
   * @throws InterruptedException if the thread was interrupted
   */
  void await(int nodes) throws InterruptedException;

  /** Leaves: the others end. */
  @Override
  void close();
}
