package roll.cluster.transfer;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.cluster.identity.Identity;

/**
 * Where a node serves and pulls, and as whom.
 *
 * @param run the name of the run; nodes of another one are refused
 * @param node the name of this node, the same as in its certificate
 * @param at the address of this machine to listen at and to connect from, never a wildcard; port 0
 *     for any that is free
 * @param identity for mutual TLS; null for bytes in the clear
 * @param clear whether bytes in the clear, which anyone on the network can read and send, are
 *     wanted beyond this machine
 */
public record TransferPlace(
    String run,
    String node,
    InetSocketAddress at,
    @Nullable Identity identity,
    boolean clear,
    TransferLimits limits) {
  /**
   * A place.
   *
   * @throws UserException if the address is a wildcard or unknown, or bytes would go in the clear
   *     over a network without being wanted so
   */
  public TransferPlace {
    InetAddress address = at.getAddress();
    if (address == null || address.isAnyLocalAddress()) {
      throw new UserException(
          "weights are served at one address of this machine, by which the others reach it, not at "
              + at.getHostString());
    }
    if (identity == null && !clear && !address.isLoopbackAddress()) {
      throw new UserException(
          "weights would go in the clear over "
              + address.getHostAddress()
              + ": that must be asked"
              + " for by name");
    }
  }
}
