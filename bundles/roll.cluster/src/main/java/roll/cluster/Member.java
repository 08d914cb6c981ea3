package roll.cluster;

/**
 * A node while it is a member. A node that was lost and joins again is another member with the same
 * name.
 *
 * @param node what it tells of itself
 * @param host where it listens, a literal address
 * @param port where it listens
 * @param uid of this membership: no two members have the same
 */
public record Member(ClusterNode node, String host, int port, long uid) {
  /** The name of the node. */
  public String name() {
    return node.name();
  }

  /** The name and the address, for messages to people. */
  @Override
  public String toString() {
    return node.name() + " (" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port + ")";
  }
}
