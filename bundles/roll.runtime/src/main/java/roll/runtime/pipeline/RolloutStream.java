package roll.runtime.pipeline;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.osgi.annotation.versioning.ProviderType;
import roll.api.strategy.Snapshot;

/** Rollouts of consecutive steps, played ahead of the requests. */
@ProviderType
public interface RolloutStream extends AutoCloseable {
  /** Name of the file with the groups that no step has taken, see {@link #snapshot}. */
  String UNFINISHED = "unfinished.jsonl.gz";

  /**
   * Returns the next step's trajectories: those of the groups that finish first, ordered by start.
   * Episodes that may be played ahead for later steps are started too. After a failed step all
   * others fail.
   *
   * @param groupsByTag groups of each tag from the next one on that is begun, as many as before
   *     together; empty leaves them as they are
   */
  CompletableFuture<RolloutResult> next(List<Integer> groupsByTag);

  /** Returns the next step's trajectories from the groups that are finished. */
  default CompletableFuture<RolloutResult> next() {
    return next(List.of());
  }

  /**
   * Copies the groups that no step has taken: finished members with tokens and log-probs, others by
   * their seed. The snapshot writes the file {@link #UNFINISHED}.
   */
  CompletableFuture<Snapshot> snapshot();

  /** Returns notices about the resumed groups, one line each; none by default. */
  default List<String> notices() {
    return List.of();
  }

  /** Ends all episodes; pending steps fail. */
  @Override
  void close();
}
