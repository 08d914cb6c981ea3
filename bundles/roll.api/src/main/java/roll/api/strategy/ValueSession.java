package roll.api.strategy;

import java.util.concurrent.CompletableFuture;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * A training session of a value model: a critic. The value of a token is that of the state before
 * it, so it is read at the preceding position (ROLL's and verl's critics: {@code values[:, :-1]}).
 */
@ConsumerType
public interface ValueSession extends TrainedModel {
  /**
   * Computes values of the scored tokens with the current weights, one cell per token of {@code
   * batch}; 0 if not scored.
   */
  CompletableFuture<double[]> values(TokenBatch batch);

  /**
   * Runs one optimizer step of the value model over {@code batch}, like {@link
   * TrainSession#update}.
   */
  CompletableFuture<UpdateReport> update(TokenBatch batch, ValueLossFunction loss);
}
