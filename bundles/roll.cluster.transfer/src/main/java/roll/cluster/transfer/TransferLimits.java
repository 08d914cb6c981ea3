package roll.cluster.transfer;

import java.time.Duration;

/**
 * Limits of a node's transfer.
 *
 * @param greeting within which a connection must be made, and whoever connects must have said who
 *     it is
 * @param silence longest pause between two bytes while something is sent
 * @param linger how long a version that was replaced is kept for those who are pulling it
 */
public record TransferLimits(Duration greeting, Duration silence, Duration linger) {
  /** Who sends less a second is as good as silent. */
  private static final int SLOWEST = 1 << 18;

  /** What fits most networks: five seconds to greet, ten of silence, a minute to linger. */
  public static TransferLimits standard() {
    return new TransferLimits(
        Duration.ofSeconds(5), Duration.ofSeconds(10), Duration.ofSeconds(60));
  }

  /** How long so many bytes may take, beside a pause. */
  Duration of(int bytes) {
    return silence.plusSeconds(bytes / SLOWEST);
  }

  /** Longest pause between two requests on a connection, and until the next digest is computed. */
  Duration patience() {
    return silence.multipliedBy(3);
  }
}
