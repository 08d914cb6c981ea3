package roll.api.worker;

import java.util.LinkedHashMap;
import java.util.Map;
import roll.api.strategy.MicroBatches;
import roll.api.strategy.TokenBatch;

/**
 * Counts the padding that micro-batches by token budget leave out, under ROLL's names {@code
 * dynamic_batching/…}. Without a budget there is nothing to count.
 */
public final class Padding {
  private final String work;
  private final int budget;
  private final int sequenceLength;
  private long valid;
  private long whole;
  private long padded;

  /**
   * Nothing so far.
   *
   * @param work role and what it does: {@code actor_train/train_step}, {@code
   *     reference/compute_log_probs} …
   * @param budget most tokens of a micro-batch, padding counted; 0 for no budget
   * @param sequenceLength what each sample would be padded to without a budget
   */
  public Padding(String work, int budget, int sequenceLength) {
    this.work = work;
    this.budget = budget;
    this.sequenceLength = sequenceLength;
  }

  /** Adds a batch, cut as {@link MicroBatches#byTokens} does; this padding. */
  public Padding add(TokenBatch batch) {
    if (budget > 0) {
      valid += batch.tokens().length;
      whole += (long) batch.samples() * sequenceLength;
      for (int[] part : MicroBatches.byTokens(batch, budget)) {
        int longest = batch.offsets()[part[0] + 1] - batch.offsets()[part[0]];
        padded += (long) part.length * longest;
      }
    }
    return this;
  }

  /**
   * {@code valid_tokens}, without any padding; {@code actual_tokens_origin}, with every sample
   * padded to the sequence length; {@code actual_tokens}, as computed; {@code
   * removed_padding_tokens}, the difference of the two, and {@code removed_padding_ratio}, its
   * share of the former. Empty where nothing was counted.
   */
  public Map<String, Double> metrics() {
    Map<String, Double> metrics = new LinkedHashMap<>();
    if (whole > 0) {
      String prefix = "dynamic_batching/" + work + "/";
      metrics.put(prefix + "valid_tokens", (double) valid);
      metrics.put(prefix + "actual_tokens_origin", (double) whole);
      metrics.put(prefix + "actual_tokens", (double) padded);
      metrics.put(prefix + "removed_padding_tokens", (double) (whole - padded));
      metrics.put(prefix + "removed_padding_ratio", (double) (whole - padded) / whole);
    }
    return metrics;
  }
}
