package roll.cluster.transfer;

import java.time.Duration;

/**
 * Time limits of a node's transfers.
 *
 * @param greeting limit for connecting and for the greeting
 * @param silence maximum pause between two bytes of an answer
 * @param linger time for which a replaced version is kept for running pulls
 */
public record TransferLimits(Duration greeting, Duration silence, Duration linger) {
  /** Minimum bytes per second; slower sources count as silent. */
  private static final int SLOWEST = 1 << 18;

  /** Returns the defaults: five seconds to greet, ten of silence, a minute to linger. */
  public static TransferLimits standard() {
    return new TransferLimits(
        Duration.ofSeconds(5), Duration.ofSeconds(10), Duration.ofSeconds(60));
  }

  /** Returns the time limit for that number of bytes. */
  Duration of(int bytes) {
    return silence.plusSeconds(bytes / SLOWEST);
  }

  /** Returns the maximum pause between two requests and between two digests. */
  Duration patience() {
    return silence.multipliedBy(3);
  }
}
