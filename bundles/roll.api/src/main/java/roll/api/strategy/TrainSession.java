package roll.api.strategy;

import java.util.concurrent.CompletableFuture;
import org.osgi.annotation.versioning.ConsumerType;

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
   * One optimizer step over {@code batch}: cut into micro-batches, each run forward, given to
   * {@code loss} and run backward; then clipped and applied.
   */
  CompletableFuture<UpdateReport> update(TokenBatch batch, LossFunction loss);
}
