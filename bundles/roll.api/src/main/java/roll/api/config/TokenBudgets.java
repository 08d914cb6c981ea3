package roll.api.config;

import org.jspecify.annotations.Nullable;

/**
 * Maximum number of tokens per micro-batch, padding included; a longer sample is a micro-batch of
 * its own. With 0, micro-batches are measured in samples.
 *
 * @param train tokens per forward and backward pass ({@code max_tokens_per_microbatch_in_train}, or
 *     {@code max_packed_sequence_length_train})
 * @param infer tokens per forward pass ({@code max_tokens_per_microbatch_in_infer}, or {@code
 *     max_packed_sequence_length_forward})
 * @param packing how samples are packed; null if they are padded. With packing, neither budget is 0
 * @param sharing whether common prefixes of samples are computed once ({@code sequence_sharing})
 */
public record TokenBudgets(
    int train, int infer, @Nullable SequencePacking packing, boolean sharing) {
  /** Micro-batches measured in samples, without sharing. */
  public static final TokenBudgets NONE = new TokenBudgets(0, 0);

  /** Creates token budgets of padded samples, without sharing. */
  public TokenBudgets(int train, int infer) {
    this(train, infer, null, false);
  }
}
