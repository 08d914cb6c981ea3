package roll.api.strategy;

import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.osgi.annotation.versioning.ConsumerType;

/** A model that is trained. Methods may be called from any thread; calls run in their order. */
@ConsumerType
public interface TrainSession extends AutoCloseable {
  /** Log-probs and entropies of the scored tokens under the current weights. */
  CompletableFuture<Scores> score(TokenBatch batch);

  /**
   * One optimizer step over {@code batch}: cut into micro-batches, each run forward, given to
   * {@code loss} and run backward; then clipped and applied.
   */
  CompletableFuture<UpdateReport> update(TokenBatch batch, LossFunction loss);

  /** The current weights. */
  Weights weights();

  /**
   * Writes the model as a Hugging Face folder into {@code folder} and the optimizer's state into
   * its sub-folder {@code trainer}.
   */
  CompletableFuture<Void> save(Path folder);

  /**
   * Continues from what {@link #save} wrote, bit for bit.
   *
   * @throws roll.api.config.UserException through the future, if the folder does not fit
   */
  CompletableFuture<Void> restore(Path folder);

  @Override
  void close();
}
