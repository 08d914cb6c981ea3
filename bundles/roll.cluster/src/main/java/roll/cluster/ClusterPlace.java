package roll.cluster;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.cluster.identity.Identity;

/**
 * Which run to be a member of, as whom, and where.
 *
 * @param run the name of the run: letters, digits and dashes, at most 64; nodes of another run are
 *     never taken in
 * @param node who this is
 * @param at the address of this machine to listen at and to be reached at, never a wildcard; port 0
 *     for any that is free
 * @param seeds addresses of members to join through; empty for the first node
 * @param identity the certificate of this node, for mutual TLS; null for messages in the clear,
 *     which anyone on the network can read and send
 * @param epoch at which this node begins, from 0; it is raised to that of the members
 * @param limit how long to wait until the node is taken in
 */
public record ClusterPlace(
    String run,
    ClusterNode node,
    InetSocketAddress at,
    List<InetSocketAddress> seeds,
    @Nullable Identity identity,
    long epoch,
    Duration limit) {
  private static final Pattern RUN = Pattern.compile("[A-Za-z0-9][A-Za-z0-9-]{0,63}");

  /**
   * A place whose seeds nobody changes.
   *
   * @throws UserException if the name of the run is none, or the address a wildcard or unknown
   */
  public ClusterPlace {
    if (!RUN.matcher(run).matches()) {
      throw new UserException(
          "the name of a run must be letters, digits and dashes, at most 64, but is '" + run + "'");
    }
    if (at.isUnresolved() || at.getAddress().isAnyLocalAddress()) {
      throw new UserException(
          "a node listens at one address of this machine, by which the others reach it, not at "
              + at.getHostString());
    }
    if (epoch < 0) {
      throw new IllegalArgumentException("epoch " + epoch);
    }
    seeds = List.copyOf(seeds);
  }
}
