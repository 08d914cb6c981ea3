package roll.api.strategy;

import java.util.concurrent.CompletableFuture;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * A value model that is trained: a critic. The value of a token is that of the state in which it
 * was chosen, so it is read at the position before it (ROLL's and verl's critics: {@code values[:,
 * :-1]}).
 */
@ConsumerType
public interface ValueSession extends TrainedModel {
  /**
   * Values of the scored tokens under the current weights, one cell per token of {@code batch}; 0
   * where not scored.
   */
  CompletableFuture<double[]> values(TokenBatch batch);

  /** One optimizer step over {@code batch}, as {@link TrainSession#update} makes it. */
  CompletableFuture<UpdateReport> update(TokenBatch batch, ValueLossFunction loss);
}
