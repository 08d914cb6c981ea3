package roll.torch;

import ai.djl.ndarray.NDArray;
import java.util.Arrays;
import java.util.stream.IntStream;
import roll.api.strategy.TokenBatch;

/**
 * Some samples of a {@link TokenBatch}, ready for a decoder's forward pass: padded on the right to
 * one length, or packed end to end in one row. A token is predicted by the position before it.
 *
 * @param samples which samples
 * @param length of a row: of the longest of them, or of all together
 * @param tokens [rows × length], 0 where there is padding
 * @param rows position in {@code tokens} that predicts each scored token
 * @param targets each scored token
 * @param cells index of each scored token in the batch
 * @param bounds where the samples of a row end, behind a 0: {0, length} where each has its own
 */
public record MicroBatch(
    int[] samples,
    int length,
    long[] tokens,
    long[] rows,
    long[] targets,
    int[] cells,
    long[] bounds) {
  /** The samples {@code samples} of {@code batch}. */
  public static MicroBatch of(TokenBatch batch, int[] samples) {
    return of(batch, samples, 1);
  }

  /** The samples {@code samples} of {@code batch}, padded or packed. */
  public static MicroBatch of(TokenBatch batch, int[] samples, boolean packed) {
    return packed ? packed(batch, samples, 1) : of(batch, samples, 1);
  }

  /** The same, padded to a length of which {@code multiple} is a divisor. */
  public static MicroBatch of(TokenBatch batch, int[] samples, int multiple) {
    int longest = Arrays.stream(samples).map(s -> length(batch, s)).max().orElse(0);
    int length = Math.ceilDiv(longest, multiple) * multiple;
    int[] starts = IntStream.range(0, samples.length).map(b -> b * length).toArray();
    return laid(batch, samples, starts, samples.length, length, new long[] {0, length});
  }

  /**
   * The samples {@code samples} of {@code batch} end to end in one row. What is missing to a length
   * of which {@code multiple} is a divisor is a sample of its own behind them, of which nothing is
   * scored.
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

  /** The samples, each from its place in {@code starts} on. */
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
   * The same samples, read at the last token of each: {@code cells} are the samples' numbers in
   * {@code batch}, and no token follows, so {@code targets} are 0.
   */
  public MicroBatch atEnds(TokenBatch batch) {
    long[] ends =
        IntStream.range(0, samples.length)
            .mapToLong(b -> (long) start(b) + length(batch, samples[b]) - 1)
            .toArray();
    return new MicroBatch(samples, length, tokens, ends, new long[samples.length], samples, bounds);
  }

  /** Where the first token of the {@code number}th of its samples stands in {@code tokens}. */
  public int start(int number) {
    return bounds.length == 2 ? number * length : Math.toIntExact(bounds[number]);
  }

  /** Of the longest sample, padding counted. */
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

  /** Number of tokens of the samples, without padding. */
  public int size(TokenBatch batch) {
    return Arrays.stream(samples).map(s -> length(batch, s)).sum();
  }

  /** Where each scored token stands when the samples are laid end to end. */
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

  /** {@code values} at their {@code cells} of an array of {@code size} numbers, 0 elsewhere. */
  public static double[] scatter(NDArray values, int[] cells, int size) {
    double[] scattered = new double[size];
    float[] array = values.toFloatArray();
    for (int i = 0; i < cells.length; i++) {
      scattered[cells[i]] = array[i];
    }
    return scattered;
  }

  /** The numbers of {@code values} at {@code cells}. */
  public static float[] gather(double[] values, int[] cells) {
    float[] gathered = new float[cells.length];
    for (int i = 0; i < cells.length; i++) {
      gathered[i] = (float) values[cells[i]];
    }
    return gathered;
  }
}
