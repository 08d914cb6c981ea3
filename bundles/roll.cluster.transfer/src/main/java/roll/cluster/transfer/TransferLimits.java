package roll.cluster.transfer;

import java.time.Duration;

/**
 * Limits of a node's transfer.
 *
 * @param connections to each node that is pulled from, at least 1
 * @param perNode connections that one node may have to this one
 * @param greeting within which whoever connects must have said who it is, and a connection must be
 *     made
 * @param silence longest pause between two bytes while something is sent
 * @param idle longest pause between two requests on a connection
 * @param linger how long a version that was replaced is kept for those who are pulling it
 */
public record TransferLimits(
    int connections,
    int perNode,
    Duration greeting,
    Duration silence,
    Duration idle,
    Duration linger) {
  /** What fits most networks: two connections, five seconds to greet, ten of silence. */
  public static TransferLimits standard() {
    return new TransferLimits(
        2,
        16,
        Duration.ofSeconds(5),
        Duration.ofSeconds(10),
        Duration.ofSeconds(30),
        Duration.ofSeconds(60));
  }
}
