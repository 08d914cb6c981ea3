package roll.cluster;

/**
 * A node while it is a member. A node that was lost and rejoins is another member with the same
 * name.
 *
 * @param node description of the node
 * @param host literal address on which it listens
 * @param port port on which it listens
 * @param uid unique identifier of this membership
 */
public record Member(ClusterNode node, String host, int port, long uid) {
  /** Name of the node. */
  public String name() {
    return node.name();
  }

  /** Returns {@code host:port}, with brackets around an IPv6 host. */
  public String address() {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }

  /** Returns name and address, for messages. */
  @Override
  public String toString() {
    return node.name() + " (" + address() + ")";
  }
}
