package roll.api.strategy;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.osgi.annotation.versioning.ConsumerType;
import roll.api.scoring.Distributions;
import roll.api.scoring.GeneralizedJsd;

/** A training session of a language model. */
@ConsumerType
public interface TrainSession extends TrainedModel {
  /** Computes log-probs and entropies of the scored tokens with the current weights. */
  CompletableFuture<Scores> score(TokenBatch batch);

  /**
   * Computes log-probs and entropies of the scored tokens with adapters disabled.
   *
   * @throws UnsupportedOperationException through the future, if there are no adapters
   */
  CompletableFuture<Scores> scoreBase(TokenBatch batch);

  /**
   * Computes the exact KL divergence from the reference at each scored token, in nats: the sum over
   * the vocabulary of {@code p (log p − log q)}, with the probabilities {@code p} of the current
   * weights and {@code q} of the reference. One cell per token of the batch; 0 if not scored.
   * Supported if {@link TrainStrategy#measuresDivergences}.
   *
   * @param reference of a session on the same device; null for this model with adapters disabled
   * @throws IllegalArgumentException through the future, if it is on another device, of another
   *     compute layer, or over another vocabulary
   * @throws UnsupportedOperationException through the future, by default, and where {@code
   *     reference} is null and there are no adapters
   */
  default CompletableFuture<double[]> divergences(
      TokenBatch batch, @Nullable Distributions reference) {
    return CompletableFuture.failedFuture(
        new UnsupportedOperationException(getClass().getName() + " does not support divergences"));
  }

  /**
   * Runs one optimizer step over {@code batch}: for each micro-batch a forward pass, {@code loss},
   * and a backward pass; then clips the gradients and applies them.
   */
  CompletableFuture<UpdateReport> update(TokenBatch batch, LossFunction loss);

  /**
   * Runs the step of {@link #update(TokenBatch, LossFunction)} with a loss that also gets {@link
   * Scores#divergences}, of the student's distribution from the teacher's at each scored token, and
   * returns derivatives by them. Words that only one of the two vocabularies has are left out.
   * Supported if {@link TrainStrategy#measuresDivergences}.
   *
   * @param teacher as the reference of {@link #divergences}
   * @throws UnsupportedOperationException through the future, by default, and where {@code teacher}
   *     is null and there are no adapters
   */
  default CompletableFuture<UpdateReport> update(
      TokenBatch batch,
      @Nullable Distributions teacher,
      GeneralizedJsd divergence,
      LossFunction loss) {
    return CompletableFuture.failedFuture(
        new UnsupportedOperationException(getClass().getName() + " does not distill"));
  }
}
