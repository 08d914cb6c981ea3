package roll.cluster.transfer;

import java.time.Duration;
import java.util.Map;

/**
 * How a pull went.
 *
 * @param bytes of the version
 * @param took from the request for its manifest until the last byte was checked
 * @param bytesFrom checked bytes by the node that they came from
 * @param again requests for chunks that were in vain
 * @param replaced versions that were begun and given up because a newer one replaced them
 */
public record PullReport(
    long bytes, Duration took, Map<String, Long> bytesFrom, int again, int replaced) {
  /** A report whose map nobody changes. */
  public PullReport {
    bytesFrom = Map.copyOf(bytesFrom);
  }

  /** Gigabytes (10⁹) a second. */
  public double rate() {
    return bytes / (double) took.toNanos();
  }
}
