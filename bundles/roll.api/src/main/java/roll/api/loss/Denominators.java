package roll.api.loss;

/**
 * What sums are divided by: counts over the whole optimizer batch, so that the loss does not depend
 * on how the batch is cut.
 *
 * @param tokens trained tokens
 * @param samples samples with at least one trained token
 * @param length cells of the longest sample after the first, {@code T − 1}
 */
public record Denominators(long tokens, long samples, long length) {
  /** The counts of a batch with these offsets and mask. */
  public static Denominators of(int[] offsets, boolean[] mask) {
    long tokens = 0;
    long samples = 0;
    long length = 0;
    for (int i = 0; i + 1 < offsets.length; i++) {
      long trained = 0;
      for (int t = offsets[i]; t < offsets[i + 1]; t++) {
        trained += mask[t] ? 1 : 0;
      }
      tokens += trained;
      samples += trained > 0 ? 1 : 0;
      length = Math.max(length, offsets[i + 1] - offsets[i] - 1);
    }
    return new Denominators(tokens, samples, length);
  }
}
