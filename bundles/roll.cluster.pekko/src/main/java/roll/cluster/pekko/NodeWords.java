package roll.cluster.pekko;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import roll.cluster.ClusterNode;

/**
 * What a node tells of itself, as what Pekko calls roles: words that every member knows of every
 * other from the beginning.
 */
final class NodeWords {
  private static final String NAME = "name=";
  private static final String VERSION = "version=";
  private static final String CORES = "cores=";
  private static final String DEVICE = "device.";
  private static final String ROLE = "role.";

  private NodeWords() {}

  static List<String> write(ClusterNode node) {
    List<String> words = new ArrayList<>();
    words.add(NAME + node.name());
    words.add(VERSION + node.version());
    words.add(CORES + node.cores());
    number(DEVICE, node.devices(), words);
    number(ROLE, node.roles(), words);
    return words;
  }

  private static void number(String kind, List<String> values, List<String> words) {
    for (int i = 0; i < values.size(); i++) {
      words.add(kind + i + "=" + values.get(i));
    }
  }

  static ClusterNode read(Set<String> words) {
    return new ClusterNode(
        one(NAME, words),
        one(VERSION, words),
        Integer.parseInt(one(CORES, words)),
        numbered(DEVICE, words),
        numbered(ROLE, words));
  }

  private static String one(String kind, Set<String> words) {
    return words.stream()
        .filter(word -> word.startsWith(kind))
        .map(word -> word.substring(kind.length()))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no " + kind + " in " + words));
  }

  private static List<String> numbered(String kind, Set<String> words) {
    TreeMap<Integer, String> values = new TreeMap<>();
    for (String word : words) {
      int value = word.indexOf('=');
      if (word.startsWith(kind) && value > 0) {
        values.put(
            Integer.valueOf(word.substring(kind.length(), value)), word.substring(value + 1));
      }
    }
    return List.copyOf(values.values());
  }
}
