package roll.cluster.transfer;

import java.time.Duration;
import java.util.Map;

/**
 * Figures of a pull.
 *
 * @param bytes of the version
 * @param took time from the request of the manifest to the last verified byte
 * @param bytesFrom verified bytes by source
 * @param again failed requests for chunks
 * @param replaced number of versions given up for a newer one
 */
public record PullReport(
    long bytes, Duration took, Map<String, Long> bytesFrom, int again, int replaced) {
  /** Creates a report with a copy of the map. */
  public PullReport {
    bytesFrom = Map.copyOf(bytesFrom);
  }

  /** Returns the rate in gigabytes (10⁹) per second. */
  public double rate() {
    return bytes / (double) took.toNanos();
  }
}
