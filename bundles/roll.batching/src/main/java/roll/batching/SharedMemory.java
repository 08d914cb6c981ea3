package roll.batching;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import roll.api.strategy.TokenBatch;

/**
 * Memory of a micro-batch with shared prefixes, in tokens of one without: it grows by samples in
 * depth-first order of a tree.
 */
final class SharedMemory {
  /**
   * Keys and values of a token that a segment reads from its ancestors, copied beside its own, take
   * at most this share of what a computed token keeps for the backward pass: 2 of at least 24
   * hidden vectors in each layer.
   */
  private static final int COPIES = 12;

  private final PrefixTree tree;
  private final int[] offsets;
  private final int[] segments;
  private final int[] scored;
  private int[] before = {};
  private long tokens;
  private long copied;
  private long rows;

  SharedMemory(PrefixTree tree, TokenBatch batch, int[] samples) {
    this.tree = tree;
    this.offsets = tree.offsets();
    this.segments = new int[tree.size()];
    int start = 0;
    for (int i = 0; i < tree.lengths().length; i++) {
      Arrays.fill(segments, start, start + tree.lengths()[i], i);
      start += tree.lengths()[i];
    }
    this.scored = Arrays.stream(samples).map(s -> scored(batch, s)).toArray();
  }

  private static int scored(TokenBatch batch, int sample) {
    int count = 0;
    for (int t = batch.offsets()[sample]; t < batch.offsets()[sample + 1]; t++) {
      count += batch.scored()[t] ? 1 : 0;
    }
    return count;
  }

  /** Returns the memory of all samples together. */
  long all() {
    long copies = IntStream.range(0, offsets.length).mapToLong(this::copied).sum();
    return Math.max(tree.size() + copies / COPIES, Arrays.stream(scored).asLongStream().sum());
  }

  private long copied(int segment) {
    return offsets[segment] == 0 ? 0 : offsets[segment] + tree.lengths()[segment];
  }

  /**
   * Returns whether the micro-batch with the samples {@code added}, neighbors in depth-first order,
   * has at most {@code budget} tokens.
   */
  boolean fits(List<Integer> added, long budget) {
    long tokens = this.tokens;
    long copied = this.copied;
    long rows = this.rows;
    int[] before = this.before;
    for (int b : added) {
      int[] own = tree.positions()[b];
      int common = common(before, own);
      tokens += own.length - common;
      copied += copied(own, common);
      rows += scored[b];
      before = own;
    }
    return tokens + copied / COPIES <= budget && rows <= budget;
  }

  /** Adds sample {@code b}. */
  void add(int b) {
    int[] own = tree.positions()[b];
    int common = common(before, own);
    tokens += own.length - common;
    copied += copied(own, common);
    rows += scored[b];
    before = own;
  }

  /** Starts the next micro-batch. */
  void clear() {
    tokens = 0;
    copied = 0;
    rows = 0;
    before = new int[0];
  }

  private static int common(int[] before, int[] own) {
    int mismatch = Arrays.mismatch(before, own);
    return mismatch < 0 ? own.length : mismatch;
  }

  /** Returns the copies of the segments of {@code own} after its first {@code common} tokens. */
  private long copied(int[] own, int common) {
    return Arrays.stream(own, common, own.length)
        .map(position -> segments[position])
        .distinct()
        .mapToLong(this::copied)
        .sum();
  }
}
