package roll.api.strategy;

import roll.api.data.Batch;

/**
 * Samples to run through a model, jagged.
 *
 * @param offsets first token of each sample and, last, the number of tokens
 * @param tokens all token ids
 * @param scored for which tokens log-prob and entropy, or the value, are wanted; never the first of
 *     a sample
 */
public record TokenBatch(int[] offsets, int[] tokens, boolean[] scored) {
  /** The tokens of {@code batch}; those the policy wrote are scored. */
  public static TokenBatch ofPolicy(Batch batch) {
    return new TokenBatch(batch.layout().offsets(), batch.tokens(), batch.layout().mask());
  }

  /** Number of samples. */
  public int samples() {
    return offsets.length - 1;
  }
}
