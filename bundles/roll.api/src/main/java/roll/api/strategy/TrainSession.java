package roll.api.strategy;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.osgi.annotation.versioning.ConsumerType;
import roll.api.scoring.Distributions;

/** A language model that is trained. */
@ConsumerType
public interface TrainSession extends TrainedModel {
  /** Log-probs and entropies of the scored tokens under the current weights. */
  CompletableFuture<Scores> score(TokenBatch batch);

  /**
   * Log-probs and entropies of the scored tokens under the model with its adapters off.
   *
   * @throws UnsupportedOperationException through the future, if it has none
   */
  CompletableFuture<Scores> scoreBase(TokenBatch batch);

  /**
   * The divergence of the model's distribution from the reference's at each scored token, in nats:
   * the sum over all words of {@code p (log p − log q)}, with the probabilities {@code p} under the
   * current weights and {@code q} of the reference. A cell per token of the batch, 0 where not
   * scored. Only where {@link TrainStrategy#measuresDivergences}.
   *
   * @param reference of a session on the same device; null for this model with its adapters off
   * @throws IllegalArgumentException through the future, if it is on another device, of another
   *     compute layer or over other words
   * @throws UnsupportedOperationException through the future, by default, and where {@code
   *     reference} is null and there are no adapters
   */
  default CompletableFuture<double[]> divergences(
      TokenBatch batch, @Nullable Distributions reference) {
    return CompletableFuture.failedFuture(
        new UnsupportedOperationException(getClass().getName() + " measures no divergences"));
  }

  /**
   * One optimizer step over {@code batch}: cut into micro-batches, each run forward, given to
   * {@code loss} and run backward; then clipped and applied.
   */
  CompletableFuture<UpdateReport> update(TokenBatch batch, LossFunction loss);
}
