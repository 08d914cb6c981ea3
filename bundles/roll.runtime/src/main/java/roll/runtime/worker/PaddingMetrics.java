package roll.runtime.worker;

import java.util.LinkedHashMap;
import java.util.Map;
import roll.api.config.WorkerConfig;
import roll.api.strategy.TokenBatch;
import roll.batching.Cutting;

/**
 * Counts the padding that micro-batches by token budget, or packed ones, leave out, under ROLL's
 * names {@code dynamic_batching/…}. With neither there is nothing to count.
 */
public final class PaddingMetrics {
  private final String work;
  private final Cutting cutting;
  private final int sequenceLength;
  private long valid;
  private long whole;
  private long padded;

  /**
   * Creates empty counts.
   *
   * @param work role and what it does: {@code actor_train/train_step}, {@code
   *     reference/compute_log_probs} …
   * @param cutting how batches are cut
   * @param sequenceLength what each sample would be padded to without a budget
   */
  public PaddingMetrics(String work, Cutting cutting, int sequenceLength) {
    this.work = work;
    this.cutting = cutting;
    this.sequenceLength = sequenceLength;
  }

  /** Counts the padding of training by {@code worker}. */
  public static PaddingMetrics training(String work, WorkerConfig worker, int sequenceLength) {
    return new PaddingMetrics(work, Cutting.training(worker), sequenceLength);
  }

  /** Counts the padding of scoring by {@code worker}. */
  public static PaddingMetrics scoring(String work, WorkerConfig worker, int sequenceLength) {
    Cutting otherwise = new Cutting.Samples(worker.inferBatchSize());
    return new PaddingMetrics(work, Cutting.scoring(worker, otherwise), sequenceLength);
  }

  /** Adds the padding of one batch. */
  public PaddingMetrics add(TokenBatch batch) {
    if (!(cutting instanceof Cutting.Samples)) {
      valid += batch.tokens().length;
      whole += (long) batch.samples() * sequenceLength;
      for (int[] part : cutting.parts(batch)) {
        padded += cutting.computed(batch, part);
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
