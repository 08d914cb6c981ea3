package roll.torch;

import ai.djl.ndarray.NDArray;
import java.util.Arrays;
import roll.api.strategy.TokenBatch;

/**
 * Some samples of a {@link TokenBatch}, padded on the right to one length, ready for {@link
 * Decoder#hidden}: a token is predicted by the position before it.
 *
 * @param samples which samples
 * @param length of the longest of them
 * @param tokens [samples × length], 0 behind the end of a sample
 * @param rows position in {@code tokens} that predicts each scored token
 * @param targets each scored token
 * @param cells index of each scored token in the batch
 */
public record MicroBatch(
    int[] samples, int length, long[] tokens, long[] rows, long[] targets, int[] cells) {
  /** The samples {@code samples} of {@code batch}. */
  public static MicroBatch of(TokenBatch batch, int[] samples) {
    return of(batch, samples, 1);
  }

  /** The same, padded to a length of which {@code multiple} is a divisor. */
  public static MicroBatch of(TokenBatch batch, int[] samples, int multiple) {
    int longest = Arrays.stream(samples).map(s -> length(batch, s)).max().orElse(0);
    int length = Math.ceilDiv(longest, multiple) * multiple;
    int scored =
        Arrays.stream(samples)
            .map(s -> count(batch.scored(), batch.offsets()[s], batch.offsets()[s + 1]))
            .sum();
    long[] tokens = new long[samples.length * length];
    long[] rows = new long[scored];
    long[] targets = new long[scored];
    int[] cells = new int[scored];
    int n = 0;
    for (int b = 0; b < samples.length; b++) {
      int first = batch.offsets()[samples[b]];
      for (int t = 0; t < length(batch, samples[b]); t++) {
        int token = batch.tokens()[first + t];
        tokens[b * length + t] = token;
        if (batch.scored()[first + t]) {
          rows[n] = (long) b * length + t - 1;
          targets[n] = token;
          cells[n] = first + t;
          n++;
        }
      }
    }
    return new MicroBatch(samples, length, tokens, rows, targets, cells);
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
