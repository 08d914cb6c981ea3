package roll.cluster.pekko;

import java.util.List;
import java.util.Set;
import roll.cluster.ClusterNode;

/**
 * Encodes a node as a Pekko role, which every member knows of every other from the beginning: its
 * fields on lines, the elements of lists between tabs.
 */
final class NodeAttributes {
  private NodeAttributes() {}

  static String encode(ClusterNode node) {
    return String.join(
        "\n",
        node.name(),
        node.version(),
        String.valueOf(node.cores()),
        String.join("\t", node.devices()),
        String.join("\t", node.roles()));
  }

  /** Reads the output of {@link #encode}; {@code roles} also has those of Pekko itself. */
  static ClusterNode decode(Set<String> roles) {
    String[] fields =
        roles.stream()
            .filter(role -> role.contains("\n"))
            .findFirst()
            .orElseThrow(() -> new IllegalArgumentException("no attributes in " + roles))
            .split("\n", -1);
    return new ClusterNode(
        fields[0], fields[1], Integer.parseInt(fields[2]), list(fields[3]), list(fields[4]));
  }

  private static List<String> list(String text) {
    return text.isEmpty() ? List.of() : List.of(text.split("\t", -1));
  }
}
