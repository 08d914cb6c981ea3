package roll.api.strategy;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.osgi.annotation.versioning.ConsumerType;

/** A model that scores and samples. Methods may be called from any thread. */
@ConsumerType
public interface InferSession extends Generator, AutoCloseable {
  @Override
  CompletableFuture<List<Generation>> generate(List<GenerationRequest> requests);

  /** Log-probs and entropies of the scored tokens. */
  CompletableFuture<Scores> score(TokenBatch batch);

  /** Uses {@code weights} from the next call on. */
  CompletableFuture<Void> update(Weights weights);

  @Override
  void close();
}
