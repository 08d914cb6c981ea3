package roll.cluster.transfer;

import java.time.Duration;

/**
 * A pulled version, which this node serves to others. Closing it ends this at once, and waits until
 * its memory is not read any more; nodes that pull it from here use another source.
 *
 * @param version the served version
 * @param report figures of the pull
 */
public record PulledVersion(PublishedVersion version, PullReport report) implements AutoCloseable {
  /** Returns the manifest of the pulled version. */
  public VersionManifest manifest() {
    return version.manifest();
  }

  @Override
  public void close() {
    version.retire(Duration.ZERO);
    version.released().join();
  }
}
