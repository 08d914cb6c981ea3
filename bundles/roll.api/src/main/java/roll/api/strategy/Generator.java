package roll.api.strategy;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * Generates responses: an inference session, or a role that has one, in this process or elsewhere.
 */
@ConsumerType
@FunctionalInterface
public interface Generator {
  /**
   * A response to each request, in their order; what runs together depends on the list alone.
   * Canceling the future asks to end soon; nobody hears of what was written until then.
   */
  CompletableFuture<List<Generation>> generate(List<GenerationRequest> requests);

  /**
   * The same responses, with {@code listener} told each token when it is drawn; by a generator that
   * does not know better, when all are.
   */
  default CompletableFuture<List<Generation>> generate(
      List<GenerationRequest> requests, TokenListener listener) {
    return Calls.then(
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
   * Whether requests join and leave while others run, so that each is best sent alone as soon as it
   * is there; otherwise those that are there together are best sent together.
   */
  default boolean continuous() {
    return false;
  }
}
