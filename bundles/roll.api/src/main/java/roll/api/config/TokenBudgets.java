package roll.api.config;

import org.jspecify.annotations.Nullable;

/**
 * Most tokens of a micro-batch, padding counted; a longer sample is a micro-batch of its own. 0:
 * micro-batches are counted in samples.
 *
 * @param train of one forward and backward ({@code max_tokens_per_microbatch_in_train}, or {@code
 *     max_packed_sequence_length_train})
 * @param infer of one forward ({@code max_tokens_per_microbatch_in_infer}, or {@code
 *     max_packed_sequence_length_forward})
 * @param packing how samples are packed; null where they are padded. With it, neither is 0
 */
public record TokenBudgets(int train, int infer, @Nullable SequencePacking packing) {
  /** Neither. */
  public static final TokenBudgets NONE = new TokenBudgets(0, 0);

  /** Of samples that are padded. */
  public TokenBudgets(int train, int infer) {
    this(train, infer, null);
  }
}
