package roll.batching;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import roll.api.image.Picture;
import roll.api.strategy.TokenBatch;

/** Builds a {@link PrefixTree} from the root, one set of samples with a common prefix at a time. */
final class PrefixTreeBuilder {
  private static final int NO_PARENT = -1;

  private final TokenBatch batch;
  private final int[] samples;
  private final int imageToken;
  private final int least;
  private final int[][] positions;
  private final int[][] pictures;
  private final List<Integer> lengths = new ArrayList<>();
  private final List<Integer> parents = new ArrayList<>();
  private final Deque<Branch> open = new ArrayDeque<>();
  private int size;

  /** Samples, by index, with a common prefix that is longer than {@code depth} tokens. */
  private record Branch(List<Integer> members, int depth, int parent) {}

  /** A token with its picture. */
  private record Symbol(int token, @Nullable Picture picture) {}

  PrefixTreeBuilder(TokenBatch batch, int[] samples, int imageToken, int least) {
    this.batch = batch;
    this.samples = samples;
    this.imageToken = imageToken;
    this.least = least;
    positions = new int[samples.length][];
    pictures = new int[samples.length][];
    for (int b = 0; b < samples.length; b++) {
      positions[b] = new int[batch.offsets()[samples[b] + 1] - batch.offsets()[samples[b]]];
      pictures[b] = batch.pictures(samples[b]).isEmpty() ? new int[0] : pictures(b);
    }
  }

  PrefixTree build() {
    split(IntStream.range(0, samples.length).boxed().toList(), 0, NO_PARENT);
    while (!open.isEmpty()) {
      Branch branch = open.pop();
      int end = end(branch);
      int saved = (end - branch.depth()) * (branch.members().size() - 1);
      if (branch.members().size() > 1 && saved >= least) {
        int segment = segment(branch.members(), branch.depth(), end, branch.parent());
        split(branch.members(), end, segment);
      } else {
        for (int b : branch.members()) {
          segment(List.of(b), branch.depth(), positions[b].length, branch.parent());
        }
      }
    }
    return new PrefixTree(array(lengths), array(parents), positions);
  }

  /** Opens a branch for each symbol that follows the first {@code depth} tokens of the members. */
  private void split(List<Integer> members, int depth, int parent) {
    Map<Symbol, List<Integer>> following = new LinkedHashMap<>();
    for (int b : members) {
      if (positions[b].length > depth) {
        following.computeIfAbsent(symbol(b, depth), unused -> new ArrayList<>()).add(b);
      }
    }
    // the first branch is popped first
    List.copyOf(following.values())
        .reversed()
        .forEach(m -> open.push(new Branch(m, depth, parent)));
  }

  /** Length of the common prefix of the members. */
  private int end(Branch branch) {
    int first = branch.members().getFirst();
    int end = positions[first].length;
    for (int b : branch.members()) {
      int t = branch.depth();
      while (t < Math.min(end, positions[b].length) && equal(first, b, t)) {
        t++;
      }
      end = t;
    }
    return end;
  }

  private boolean equal(int a, int b, int t) {
    return token(a, t) == token(b, t)
        && (token(a, t) != imageToken || symbol(a, t).equals(symbol(b, t)));
  }

  /** Appends a segment with the tokens from {@code from} to {@code to} of the members. */
  private int segment(List<Integer> members, int from, int to, int parent) {
    for (int b : members) {
      for (int t = from; t < to; t++) {
        positions[b][t] = size + t - from;
      }
    }
    lengths.add(to - from);
    parents.add(parent);
    size += to - from;
    return lengths.size() - 1;
  }

  private int token(int b, int t) {
    return batch.tokens()[batch.offsets()[samples[b]] + t];
  }

  private Symbol symbol(int b, int t) {
    List<Picture> shown = batch.pictures(samples[b]);
    boolean image = !shown.isEmpty() && token(b, t) == imageToken && pictures[b][t] < shown.size();
    return new Symbol(token(b, t), image ? shown.get(pictures[b][t]) : null);
  }

  /** Returns the index of the picture at each token: a picture is a run of image tokens. */
  private int[] pictures(int b) {
    int[] indexes = new int[positions[b].length];
    int runs = 0;
    for (int t = 0; t < indexes.length; t++) {
      boolean begins = token(b, t) == imageToken && (t == 0 || token(b, t - 1) != imageToken);
      runs += begins ? 1 : 0;
      indexes[t] = runs - 1;
    }
    return indexes;
  }

  private static int[] array(List<Integer> values) {
    return values.stream().mapToInt(i -> i).toArray();
  }
}
