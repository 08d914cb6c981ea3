package roll.cluster.transfer;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * Somebody to pull from.
 *
 * @param node the name in its certificate
 * @param at where its transfer listens
 */
public record TransferPeer(String node, InetSocketAddress at) {
  /**
   * Those that {@code own} pulls from if all pull the same, the nearest first: the nodes form a
   * tree of which the first one hangs on the origin and every one passes on to two. So a node sends
   * at most two copies, however many there are.
   *
   * @param all in an order that is the same for all, in which {@code own} is
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
