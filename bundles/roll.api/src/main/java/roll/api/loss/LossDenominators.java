package roll.api.loss;

import java.util.Arrays;
import roll.api.data.Layout;

/**
 * Denominators of loss averages: counts over the whole optimizer batch, so that the loss does not
 * depend on how the batch is split.
 *
 * @param tokens number of trained tokens
 * @param samples number of samples with at least one trained token
 * @param length length of the longest sample without its first token, {@code T − 1}
 */
public record LossDenominators(long tokens, long samples, long length) {
  /** The counts of a batch of this layout. */
  public static LossDenominators of(Layout layout) {
    int[] trained = layout.countBySample();
    long length = 0;
    for (int i = 0; i < trained.length; i++) {
      length = Math.max(length, layout.offsets()[i + 1] - layout.offsets()[i] - 1);
    }
    return new LossDenominators(
        Arrays.stream(trained).asLongStream().sum(),
        Arrays.stream(trained).filter(count -> count > 0).count(),
        length);
  }
}
