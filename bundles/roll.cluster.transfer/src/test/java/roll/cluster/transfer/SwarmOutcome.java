package roll.cluster.transfer;

import java.util.List;

/**
 * How a simulated distribution went.
 *
 * @param swarm that was simulated
 * @param nodes all but the origin
 * @param originSent bytes that the origin sent
 * @param wasted bytes that were sent and did not count
 * @param notices of all nodes
 */
record SwarmOutcome(
    Swarm swarm, List<SwarmNode> nodes, double originSent, double wasted, List<String> notices) {
  /** Nodes that were not lost. */
  List<SwarmNode> living() {
    return nodes.stream().filter(node -> node.alive).toList();
  }

  /**
   * Seconds until the last of the nodes with a whole wire, of those from the beginning, had all.
   */
  double seconds() {
    return nodes.stream()
        .filter(node -> node.alive && node.wire == swarm.wire() && node.name.startsWith("w"))
        .mapToDouble(node -> node.finished)
        .max()
        .orElse(0);
  }

  /** That of all, slow ones and those that came later too. */
  double last() {
    return living().stream().mapToDouble(node -> node.finished).max().orElse(0);
  }

  /** Seconds that one copy takes. */
  double copy() {
    return swarm.bytes() / swarm.wire();
  }

  /** How many times the version the origin sent. */
  double originCopies() {
    return originSent / swarm.bytes();
  }

  /** Most that a node sent, in versions. */
  double mostCopies() {
    return nodes.stream().mapToDouble(node -> node.sent).max().orElse(0) / swarm.bytes();
  }

  /** Mean number of messages that a node sent. */
  double requests() {
    return living().stream().mapToInt(node -> node.requests.get()).average().orElse(0);
  }
}
