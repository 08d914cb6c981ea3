package roll.api.strategy;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * Generates responses: an inference session, or a role that has one, in this or another process.
 */
@ConsumerType
@FunctionalInterface
public interface Generator {
  /**
   * Generates a response to each request, in order; batching depends on the list alone. Canceling
   * the future stops generation soon and discards the tokens.
   */
  CompletableFuture<List<Generation>> generate(List<GenerationRequest> requests);

  /**
   * Like {@link #generate(List)}, and reports each sampled token to {@code listener}; by default
   * only after all responses are complete.
   */
  default CompletableFuture<List<Generation>> generate(
      List<GenerationRequest> requests, TokenListener listener) {
    return AsyncCalls.then(
        generate(requests),
        generations -> {
          for (int i = 0; i < generations.size(); i++) {
            Generation written = generations.get(i);
            for (int t = 0; t < written.tokens().length; t++) {
              listener.sampled(i, written.tokens()[t], written.logProbs()[t]);
            }
          }
          return generations;
        });
  }

  /**
   * Whether the generator supports continuous batching: requests are best sent one by one as soon
   * as they exist; otherwise they are best sent together.
   */
  default boolean continuous() {
    return false;
  }

  /** Returns the load since the previous call; {@link EngineLoad#UNKNOWN} by default. */
  default CompletableFuture<EngineLoad> load() {
    return CompletableFuture.completedFuture(EngineLoad.UNKNOWN);
  }
}
