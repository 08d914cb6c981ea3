package roll.api.config;

/**
 * Most tokens of a micro-batch, padding counted; a longer sample is a micro-batch of its own. 0:
 * micro-batches are counted in samples.
 *
 * @param train of one forward and backward ({@code max_tokens_per_microbatch_in_train})
 * @param infer of one forward ({@code max_tokens_per_microbatch_in_infer})
 */
public record TokenBudgets(int train, int infer) {
  /** Neither. */
  public static final TokenBudgets NONE = new TokenBudgets(0, 0);
}
