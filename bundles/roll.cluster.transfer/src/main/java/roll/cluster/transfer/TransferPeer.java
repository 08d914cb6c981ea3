package roll.cluster.transfer;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * A node to pull from.
 *
 * @param node the name in its certificate
 * @param at address of its transfer endpoint
 */
public record TransferPeer(String node, InetSocketAddress at) {
  /**
   * Returns the ancestors of {@code own} in a binary tree of all nodes, the parent first. So each
   * node sends at most two copies of a version.
   *
   * @param all all nodes, including {@code own}, in the same order for each of them
   */
  public static List<TransferPeer> above(List<TransferPeer> all, TransferPeer own) {
    List<TransferPeer> above = new ArrayList<>();
    for (int i = all.indexOf(own); i > 0; ) {
      i = (i - 1) / 2;
      above.add(all.get(i));
    }
    return List.copyOf(above);
  }

  /** The name and the address, for messages to people. */
  @Override
  public String toString() {
    String host = at.getAddress() == null ? at.getHostString() : at.getAddress().getHostAddress();
    return node + " (" + (host.contains(":") ? "[" + host + "]" : host) + ":" + at.getPort() + ")";
  }
}
