package roll.torch;

import ai.djl.ndarray.NDArray;
import java.util.Arrays;
import java.util.stream.IntStream;
import roll.api.strategy.TokenBatch;

/**
 * Samples of a {@link TokenBatch}, ready for a decoder's forward pass: right-padded to one length,
 * or packed in one row. A token is predicted by the position before it.
 *
 * @param samples numbers of the samples
 * @param length of a row: that of the longest sample, or of all samples together
 * @param tokens [rows × length], 0 for padding
 * @param rows position in {@code tokens} that predicts each scored token
 * @param targets each scored token
 * @param cells index of each scored token in the batch
 * @param bounds cumulative sequence lengths of a row, beginning with 0: {0, length} if each sample
 *     has its own row
 */
public record MicroBatch(
    int[] samples,
    int length,
    long[] tokens,
    long[] rows,
    long[] targets,
    int[] cells,
    long[] bounds) {
  /** Returns the micro-batch of {@code samples} of {@code batch}, padded. */
  public static MicroBatch of(TokenBatch batch, int[] samples) {
    return of(batch, samples, 1);
  }

  /** Returns the micro-batch of {@code samples} of {@code batch}, padded or packed. */
  public static MicroBatch of(TokenBatch batch, int[] samples, boolean packed) {
    return packed ? packed(batch, samples, 1) : of(batch, samples, 1);
  }

  /**
   * Like {@link #of(TokenBatch, int[])}, with the length rounded up to a multiple of {@code
   * multiple}.
   */
  public static MicroBatch of(TokenBatch batch, int[] samples, int multiple) {
    int longest = Arrays.stream(samples).map(s -> length(batch, s)).max().orElse(0);
    int length = Math.ceilDiv(longest, multiple) * multiple;
    int[] starts = IntStream.range(0, samples.length).map(b -> b * length).toArray();
    return laid(batch, samples, starts, samples.length, length, new long[] {0, length});
  }

  /**
   * Returns {@code samples} of {@code batch} packed in one row. The padding to a multiple of {@code
   * multiple} is a sample of its own at the end, of which nothing is scored.
   */
  public static MicroBatch packed(TokenBatch batch, int[] samples, int multiple) {
    int[] ends = Arrays.stream(samples).map(s -> length(batch, s)).toArray();
    Arrays.parallelPrefix(ends, Integer::sum);
    int end = ends.length == 0 ? 0 : ends[ends.length - 1];
    int length = Math.ceilDiv(end, multiple) * multiple;
    IntStream all = IntStream.concat(IntStream.of(0), Arrays.stream(ends));
    long[] bounds =
        (length > end ? IntStream.concat(all, IntStream.of(length)) : all).asLongStream().toArray();
    int[] starts = IntStream.range(0, samples.length).map(b -> b == 0 ? 0 : ends[b - 1]).toArray();
    return laid(batch, samples, starts, 1, length, bounds);
  }

  /** Returns the samples, each beginning at its index of {@code starts}. */
  private static MicroBatch laid(
      TokenBatch batch, int[] samples, int[] starts, int rowCount, int length, long[] bounds) {
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
      for (int t = 0; t < length(batch, samples[b]); t++) {
        int token = batch.tokens()[first + t];
        tokens[starts[b] + t] = token;
        if (batch.scored()[first + t]) {
          rows[n] = (long) starts[b] + t - 1;
          targets[n] = token;
          cells[n] = first + t;
          n++;
        }
      }
    }
    return new MicroBatch(samples, length, tokens, rows, targets, cells, bounds);
  }

  /**
   * Returns the same samples, read at the last token of each: {@code cells} are the samples'
   * numbers in {@code batch}, and {@code targets} are 0, as no token follows.
   */
  public MicroBatch atEnds(TokenBatch batch) {
    long[] ends =
        IntStream.range(0, samples.length)
            .mapToLong(b -> (long) start(b) + length(batch, samples[b]) - 1)
            .toArray();
    return new MicroBatch(samples, length, tokens, ends, new long[samples.length], samples, bounds);
  }

  /** Returns the index in {@code tokens} of the first token of the {@code number}th sample. */
  public int start(int number) {
    return bounds.length == 2 ? number * length : Math.toIntExact(bounds[number]);
  }

  /** Returns the length of the longest sample, including padding. */
  public int longest() {
    return (int)
        IntStream.range(1, bounds.length).mapToLong(i -> bounds[i] - bounds[i - 1]).max().orElse(0);
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
