package roll.runtime.pipeline;

import java.util.concurrent.CompletableFuture;
import org.osgi.annotation.versioning.ProviderType;

/** Rollouts of consecutive steps, played ahead of the requests. */
@ProviderType
public interface RolloutStream extends AutoCloseable {
  /**
   * The next step's trajectories: those of the groups that finish first, ordered by start. Episodes
   * that may be played ahead for later steps are started too. After a failed step all others fail.
   */
  CompletableFuture<RolloutResult> next();

  /** Ends all episodes; pending steps fail. */
  @Override
  void close();
}
