package roll.cluster.transfer;

import java.time.Duration;

/**
 * A version that was pulled, and is served to others. Closing it ends that at once and waits until
 * its memory is not read any more: whoever is pulling it from here asks elsewhere.
 *
 * @param version what others pull from here
 * @param report how it went
 */
public record Pulled(Publication version, PullReport report) implements AutoCloseable {
  /** What was pulled. */
  public Manifest manifest() {
    return version.manifest();
  }

  @Override
  public void close() {
    version.retire(Duration.ZERO);
    version.released().join();
  }
}
