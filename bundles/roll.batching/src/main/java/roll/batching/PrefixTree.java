package roll.batching;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import roll.api.strategy.TokenBatch;

/**
 * Samples merged where they begin with the same tokens and pictures: a compressed trie. A segment
 * is a run of tokens that is computed once; its tokens attend to all ancestors, and causally within
 * the segment. Segments are in depth-first order, so that a parent comes before its children.
 *
 * @param lengths number of tokens of each segment
 * @param parents index of the parent of each segment, or −1
 * @param positions of each sample and token, the index among the tokens of all segments
 */
public record PrefixTree(int[] lengths, int[] parents, int[][] positions) {
  /**
   * Merges the samples {@code samples} of {@code batch}.
   *
   * @param imageToken token of pictures, or −1 for a model of text
   * @param least minimum number of tokens that a shared segment must save
   */
  public static PrefixTree of(TokenBatch batch, int[] samples, int imageToken, int least) {
    return new PrefixTreeBuilder(batch, samples, imageToken, least).build();
  }

  /** Returns the samples, by index, in depth-first order. */
  List<Integer> depthFirst() {
    return IntStream.range(0, positions.length)
        .boxed()
        .sorted(Comparator.comparing(b -> positions[b][positions[b].length - 1]))
        .toList();
  }

  /** Returns the samples, by index, in depth-first order, those with the same root together. */
  List<List<Integer>> groups() {
    Map<Integer, List<Integer>> groups = new LinkedHashMap<>();
    for (int b : depthFirst()) {
      groups.computeIfAbsent(positions[b][0], unused -> new ArrayList<>()).add(b);
    }
    return List.copyOf(groups.values());
  }

  /** Returns the number of tokens of all segments. */
  public int size() {
    return Arrays.stream(lengths).sum();
  }

  /** Returns the number of tokens of all samples. */
  public int sampleTokens() {
    return Arrays.stream(positions).mapToInt(each -> each.length).sum();
  }

  /** Returns the number of tokens of the ancestors of each segment. */
  public int[] offsets() {
    int[] offsets = new int[lengths.length];
    for (int i = 0; i < lengths.length; i++) {
      offsets[i] = parents[i] < 0 ? 0 : offsets[parents[i]] + lengths[parents[i]];
    }
    return offsets;
  }
}
