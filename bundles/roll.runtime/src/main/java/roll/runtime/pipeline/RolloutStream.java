package roll.runtime.pipeline;

import java.util.concurrent.CompletableFuture;
import org.osgi.annotation.versioning.ProviderType;

/** Rollouts of one step after another, that are played ahead of what is asked for. */
@ProviderType
public interface RolloutStream extends AutoCloseable {
  /**
   * The next step's trajectories: of the groups that are done first, ordered by when they were
   * begun. What may be played ahead of the step after it is begun too. Once a step has failed, all
   * others do.
   */
  CompletableFuture<RolloutResult> next();

  /** Ends all episodes; steps that somebody waits for fail. */
  @Override
  void close();
}
