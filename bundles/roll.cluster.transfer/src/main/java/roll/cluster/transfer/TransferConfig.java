package roll.cluster.transfer;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.cluster.identity.Identity;

/**
 * Address and identity of a transfer endpoint.
 *
 * @param run name of the run; nodes of other runs are refused
 * @param node name of this node, as in its certificate
 * @param at address of this machine to listen at and to connect from, not a wildcard; port 0 for
 *     any free one
 * @param identity for mutual TLS; null for clear text
 * @param clear whether clear text, which anyone on the network can read and send, is allowed beyond
 *     this machine
 */
public record TransferConfig(
    String run,
    String node,
    InetSocketAddress at,
    @Nullable Identity identity,
    boolean clear,
    TransferLimits limits) {
  /**
   * Creates the configuration of an endpoint for transfers, and checks its address.
   *
   * @throws UserException if the address is a wildcard or unknown, or clear text would be sent over
   *     a network without being allowed
   */
  public TransferConfig {
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
