package roll.torch;

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
record MicroBatch(
    int[] samples, int length, long[] tokens, long[] rows, long[] targets, int[] cells) {
  /** The samples {@code samples} of {@code batch}. */
  static MicroBatch of(TokenBatch batch, int[] samples) {
    int length = Arrays.stream(samples).map(s -> length(batch, s)).max().orElse(0);
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
}
