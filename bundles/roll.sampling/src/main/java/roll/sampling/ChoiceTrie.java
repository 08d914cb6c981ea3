package roll.sampling;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A node of the prefix tree of the allowed token sequences, for guided decoding by choices: each
 * sequence is a path from the root.
 */
final class ChoiceTrie implements Guide {
  private final Map<Integer, ChoiceTrie> next = new TreeMap<>();
  private boolean end;

  /** Returns the root of the tree of {@code sequences}, none of them empty. */
  static ChoiceTrie of(List<int[]> sequences) {
    ChoiceTrie root = new ChoiceTrie();
    for (int[] sequence : sequences) {
      ChoiceTrie node = root;
      for (int token : sequence) {
        node = node.next.computeIfAbsent(token, unused -> new ChoiceTrie());
      }
      node.end = true;
    }
    return root;
  }

  /**
   * Returns the allowed next tokens: those of longer sequences, and {@code stops} if a sequence
   * ends here.
   */
  @Override
  public int[] allowed(int[] stops) {
    IntStream tokens = next.keySet().stream().mapToInt(token -> token);
    return (end ? IntStream.concat(tokens, IntStream.of(stops)) : tokens).distinct().toArray();
  }

  @Override
  public long @Nullable [] mask() {
    return null;
  }

  @Override
  public boolean allows(int token) {
    return next.containsKey(token);
  }

  /** Returns the node after {@code token}, which is not a stop token. */
  @Override
  public ChoiceTrie after(int token) {
    ChoiceTrie node = next.get(token);
    if (node == null) {
      throw new IllegalStateException("token " + token + " is not allowed");
    }
    return node;
  }

  /** Returns whether a sequence ends here that is no prefix of a longer one. */
  @Override
  public boolean complete() {
    return next.isEmpty();
  }

  /** Returns whether some sequence is a prefix of another. */
  boolean ambiguous() {
    return nodes().anyMatch(node -> node.end && !node.complete());
  }

  /** Returns whether a sequence contains one of {@code stops}, which would cut it off. */
  boolean cutBy(List<Integer> stops) {
    return nodes()
        .flatMap(node -> node.next.entrySet().stream())
        .anyMatch(way -> !way.getValue().complete() && stops.contains(way.getKey()));
  }

  private Stream<ChoiceTrie> nodes() {
    return Stream.concat(Stream.of(this), next.values().stream().flatMap(ChoiceTrie::nodes));
  }
}
