package roll.api.pipeline;

import java.util.concurrent.CompletableFuture;
import org.osgi.annotation.versioning.ProviderType;

/** Plays many episodes at once: groups, queue, supervision. */
@ProviderType
public interface Rollouts {
  /** Plays what {@code request} asks for. */
  CompletableFuture<RolloutResult> play(RolloutRequest request);
}
