package roll.config.tree;

import java.util.IdentityHashMap;
import java.util.List;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.SequenceNode;

/**
 * Counts the values of a composed YAML document with its aliases expanded. Each node is visited
 * once, regardless of the number of its aliases.
 */
final class Expansion {
  private static final long ENOUGH = Long.MAX_VALUE / 2; // so that a sum does not overflow

  private final IdentityHashMap<Node, Long> known = new IdentityHashMap<>();

  private Expansion() {}

  /** Returns the number of mappings, lists and scalars in {@code root}, aliases expanded. */
  static long of(Node root) {
    return new Expansion().count(root);
  }

  private long count(Node node) {
    Long earlier = known.get(node);
    if (earlier != null) {
      return earlier;
    }
    known.put(node, 0L); // a node inside itself is refused later
    long count = 1;
    for (Node inner : inside(node)) {
      count = Math.min(count + count(inner), ENOUGH);
    }
    known.put(node, count);
    return count;
  }

  private static List<Node> inside(Node node) {
    return switch (node) {
      case SequenceNode list -> list.getValue();
      case MappingNode mapping -> mapping.getValue().stream().map(NodeTuple::getValueNode).toList();
      default -> List.of();
    };
  }
}
