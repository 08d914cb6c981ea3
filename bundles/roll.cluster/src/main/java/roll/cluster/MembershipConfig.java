package roll.cluster;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.cluster.identity.Identity;

/**
 * Configuration of a membership.
 *
 * @param run name of the run: letters, digits and dashes, at most 64; nodes of other runs are
 *     rejected
 * @param node description of this node
 * @param address to listen on, by which other nodes reach this one; never a wildcard; port 0
 *     selects any free port
 * @param seeds addresses of members to join through; empty for the first node
 * @param identity certificate of this node for mutual TLS; null for clear text, which anyone on the
 *     network can read and forge
 * @param epoch initial epoch, at least 0; it is raised to that of the other members
 * @param joinTimeout maximum time until the node is a member
 */
public record MembershipConfig(
    String run,
    ClusterNode node,
    InetSocketAddress address,
    List<InetSocketAddress> seeds,
    @Nullable Identity identity,
    long epoch,
    Duration joinTimeout) {
  private static final Pattern RUN = Pattern.compile("[A-Za-z0-9][A-Za-z0-9-]{0,63}");

  /**
   * Copies the seeds.
   *
   * @throws UserException if the name of the run is invalid, or the address is a wildcard or
   *     unresolved
   */
  public MembershipConfig {
    if (!RUN.matcher(run).matches()) {
      throw new UserException(
          "the name of a run must be letters, digits and dashes, at most 64, but is '" + run + "'");
    }
    if (address.isUnresolved() || address.getAddress().isAnyLocalAddress()) {
      throw new UserException(
          "a node must listen on one address by which other nodes reach it, not on "
              + address.getHostString());
    }
    if (epoch < 0) {
      throw new IllegalArgumentException("epoch " + epoch);
    }
    seeds = List.copyOf(seeds);
  }
}
