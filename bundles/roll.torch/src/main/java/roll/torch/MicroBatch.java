package roll.torch;

import ai.djl.ndarray.NDArray;
import java.util.Arrays;
import java.util.stream.IntStream;
import roll.api.strategy.TokenBatch;
import roll.batching.Cutting;
import roll.batching.PrefixTree;

/**
 * Samples of a {@link TokenBatch}, ready for a decoder's forward pass: right-padded to one length,
 * packed in one row, or merged in one row where they begin alike. A token is predicted by the
 * position before it in its sample.
 *
 * @param samples numbers of the samples
 * @param length of a row: that of the longest sample, or of all segments together
 * @param tokens [rows × length], 0 for padding
 * @param rows position in {@code tokens} that predicts each scored token
 * @param targets each scored token
 * @param cells index of each scored token in the batch
 * @param segments lengths of the segments of a row, then their parents (see {@link PrefixTree}):
 *     {length, −1} if each sample has its own row
 * @param positions of each sample and token, the index in {@code tokens}
 */
public record MicroBatch(
    int[] samples,
    int length,
    long[] tokens,
    long[] rows,
    long[] targets,
    int[] cells,
    long[] segments,
    int[][] positions) {
  private static final long NO_PARENT = -1;

  /** Returns the micro-batch of {@code samples} of {@code batch}, padded. */
  public static MicroBatch of(TokenBatch batch, int[] samples) {
    return of(batch, samples, 1);
  }

  /** Returns the micro-batch of {@code samples} of {@code batch}, padded or packed. */
  public static MicroBatch of(TokenBatch batch, int[] samples, boolean packed) {
    return packed ? packed(batch, samples, 1) : of(batch, samples, 1);
  }

  /**
   * Returns the micro-batch of {@code samples} of {@code batch} in the layout of {@code cutting}.
   */
  public static MicroBatch of(TokenBatch batch, int[] samples, Cutting cutting) {
    return of(batch, samples, cutting, 1);
  }

  /** Like {@link #of(TokenBatch, int[], Cutting)}, with rows of a multiple of {@code multiple}. */
  public static MicroBatch of(TokenBatch batch, int[] samples, Cutting cutting, int multiple) {
    PrefixTree tree = cutting.tree(batch, samples);
    if (tree != null) {
      return shared(batch, samples, tree, multiple);
    }
    return cutting.packed() ? packed(batch, samples, multiple) : of(batch, samples, multiple);
  }

  /**
   * Like {@link #of(TokenBatch, int[])}, with the length rounded up to a multiple of {@code
   * multiple}.
   */
  public static MicroBatch of(TokenBatch batch, int[] samples, int multiple) {
    int longest = Arrays.stream(samples).map(s -> length(batch, s)).max().orElse(0);
    int length = Math.ceilDiv(longest, multiple) * multiple;
    int[][] positions = new int[samples.length][];
    Arrays.setAll(positions, b -> range(b * length, length(batch, samples[b])));
    return laid(batch, samples, positions, samples.length, length, new long[] {length, NO_PARENT});
  }

  /**
   * Returns {@code samples} of {@code batch} packed in one row. The padding to a multiple of {@code
   * multiple} is a sample of its own at the end, of which nothing is scored.
   */
  public static MicroBatch packed(TokenBatch batch, int[] samples, int multiple) {
    int[] lengths = Arrays.stream(samples).map(s -> length(batch, s)).toArray();
    int[] parents = new int[lengths.length];
    Arrays.fill(parents, (int) NO_PARENT);
    int[][] positions = new int[samples.length][];
    int end = 0;
    for (int b = 0; b < samples.length; b++) {
      positions[b] = range(end, lengths[b]);
      end += lengths[b];
    }
    return shared(batch, samples, new PrefixTree(lengths, parents, positions), multiple);
  }

  /** Returns {@code samples} of {@code batch} in one row, merged as in {@code tree}. */
  public static MicroBatch shared(TokenBatch batch, int[] samples, PrefixTree tree, int multiple) {
    int end = tree.size();
    int length = Math.ceilDiv(end, multiple) * multiple;
    boolean filled = length > end;
    int count = tree.lengths().length;
    long[] segments = new long[2 * (filled ? count + 1 : count)];
    for (int i = 0; i < segments.length / 2; i++) {
      segments[i] = i < count ? tree.lengths()[i] : length - end;
      segments[segments.length / 2 + i] = i < count ? tree.parents()[i] : NO_PARENT;
    }
    return laid(batch, samples, tree.positions(), 1, length, segments);
  }

  private static int[] range(int start, int length) {
    return IntStream.range(start, start + length).toArray();
  }

  /** Returns the samples with their tokens at {@code positions}. */
  private static MicroBatch laid(
      TokenBatch batch,
      int[] samples,
      int[][] positions,
      int rowCount,
      int length,
      long[] segments) {
    int scored =
        Arrays.stream(samples)
            .map(s -> count(batch.scored(), batch.offsets()[s], batch.offsets()[s + 1]))
            .sum();
    long[] tokens = new long[rowCount * length];
    long[] rows = new long[scored];
    long[] targets = new long[scored];
    int[] cells = new int[scored];
    int n = 0;
    for (int b = 0; b < samples.length; b++) {
      int first = batch.offsets()[samples[b]];
      for (int t = 0; t < positions[b].length; t++) {
        int token = batch.tokens()[first + t];
        tokens[positions[b][t]] = token;
        if (batch.scored()[first + t]) {
          rows[n] = positions[b][Math.max(t - 1, 0)];
          targets[n] = token;
          cells[n] = first + t;
          n++;
        }
      }
    }
    return new MicroBatch(samples, length, tokens, rows, targets, cells, segments, positions);
  }

  /** Returns a micro-batch of {@code length} tokens of no sample, one of which is read. */
  public static MicroBatch empty(int length) {
    return new MicroBatch(
        new int[0],
        length,
        new long[length],
        new long[1],
        new long[1],
        new int[0],
        new long[] {length, NO_PARENT},
        new int[0][]);
  }

  /**
   * Returns the same samples, read at the last token of each: {@code cells} are the samples'
   * numbers in {@code batch}, and {@code targets} are 0, as no token follows.
   */
  public MicroBatch atEnds() {
    long[] ends = Arrays.stream(positions).mapToLong(each -> each[each.length - 1]).toArray();
    return new MicroBatch(
        samples, length, tokens, ends, new long[ends.length], samples, segments, positions);
  }

  /** Returns the length of the longest sample, including padding. */
  public int longest() {
    int count = segments.length / 2;
    long[] ends = new long[count];
    for (int i = 0; i < count; i++) {
      int parent = (int) segments[count + i];
      ends[i] = segments[i] + (parent < 0 ? 0 : ends[parent]);
    }
    return (int) Arrays.stream(ends).max().orElse(0);
  }

  private static int length(TokenBatch batch, int sample) {
    return batch.offsets()[sample + 1] - batch.offsets()[sample];
  }

  private static int count(boolean[] flags, int from, int to) {
    int n = 0;
    for (int i = from; i < to; i++) {
      n += flags[i] ? 1 : 0;
    }
    return n;
  }

  /** Returns the number of tokens of the samples, without padding. */
  public int size(TokenBatch batch) {
    return Arrays.stream(samples).map(s -> length(batch, s)).sum();
  }

  /** Returns the index of each scored token in the concatenated samples. */
  public int[] cellsWithin(TokenBatch batch) {
    int[] local = new int[cells.length];
    int n = 0;
    int start = 0;
    for (int sample : samples) {
      int from = batch.offsets()[sample];
      int to = batch.offsets()[sample + 1];
      while (n < local.length && cells[n] >= from && cells[n] < to) {
        local[n] = start + cells[n] - from;
        n++;
      }
      start += to - from;
    }
    return local;
  }

  /**
   * Returns an array of {@code size} numbers with {@code values} at {@code cells}, 0 in all others.
   */
  public static double[] scatter(NDArray values, int[] cells, int size) {
    double[] scattered = new double[size];
    float[] array = values.toFloatArray();
    for (int i = 0; i < cells.length; i++) {
      scattered[cells[i]] = array[i];
    }
    return scattered;
  }

  /** Returns the numbers of {@code values} at {@code cells}. */
  public static float[] gather(double[] values, int[] cells) {
    float[] gathered = new float[cells.length];
    for (int i = 0; i < cells.length; i++) {
      gathered[i] = (float) values[cells[i]];
    }
    return gathered;
  }
}
