package roll.api.strategy;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.osgi.annotation.versioning.ConsumerType;

/** Who writes responses: an inference session, or a role that holds one, here or elsewhere. */
@ConsumerType
@FunctionalInterface
public interface Generator {
  /** A response to each request, in their order; what runs together depends on the list alone. */
  CompletableFuture<List<Generation>> generate(List<GenerationRequest> requests);
}
