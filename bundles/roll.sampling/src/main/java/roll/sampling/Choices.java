package roll.sampling;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What may come next where only some token sequences may be written: a node of the tree of them,
 * where each sequence is a path from the root.
 */
final class Choices {
  private final Map<Integer, Choices> next = new TreeMap<>();
  private boolean end;

  /** The root of the tree of {@code sequences}, none of them empty. */
  static Choices of(List<int[]> sequences) {
    Choices root = new Choices();
    for (int[] sequence : sequences) {
      Choices node = root;
      for (int token : sequence) {
        node = node.next.computeIfAbsent(token, unused -> new Choices());
      }
      node.end = true;
    }
    return root;
  }

  /** The tokens that may come next: those of longer sequences, and {@code stops} if one ends. */
  int[] allowed(int[] stops) {
    IntStream tokens = next.keySet().stream().mapToInt(token -> token);
    return (end ? IntStream.concat(tokens, IntStream.of(stops)) : tokens).distinct().toArray();
  }

  /** What may come after {@code token}, which is not a stop token. */
  Choices after(int token) {
    Choices node = next.get(token);
    if (node == null) {
      throw new IllegalStateException("token " + token + " is not allowed");
    }
    return node;
  }

  /** Whether a sequence ends here that no longer one begins with. */
  boolean complete() {
    return next.isEmpty();
  }

  /** Whether some sequence is the beginning of another. */
  boolean ambiguous() {
    return nodes().anyMatch(node -> node.end && !node.complete());
  }

  /** Whether one of {@code stops} stands within a sequence and would cut it off. */
  boolean cutBy(List<Integer> stops) {
    return nodes()
        .flatMap(node -> node.next.entrySet().stream())
        .anyMatch(way -> !way.getValue().complete() && stops.contains(way.getKey()));
  }

  private Stream<Choices> nodes() {
    return Stream.concat(Stream.of(this), next.values().stream().flatMap(Choices::nodes));
  }
}
