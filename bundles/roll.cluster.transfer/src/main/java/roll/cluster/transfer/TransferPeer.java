package roll.cluster.transfer;

import java.net.InetSocketAddress;

/**
 * Somebody to pull from.
 *
 * @param node the name in its certificate
 * @param at where its transfer listens
 */
public record TransferPeer(String node, InetSocketAddress at) {
  /** The name and the address, for messages to people. */
  @Override
  public String toString() {
    String host = at.getAddress() == null ? at.getHostString() : at.getAddress().getHostAddress();
    return node + " (" + (host.contains(":") ? "[" + host + "]" : host) + ":" + at.getPort() + ")";
  }
}
