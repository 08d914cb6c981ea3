package roll.runtime.pipeline;

import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import org.osgi.annotation.versioning.ProviderType;

/** A rollout that was started. */
@ProviderType
public interface RolloutRun {
  /** What is worth knowing before it is played, a line each; nothing by default. */
  default List<String> notices() {
    return List.of();
  }

  /** Its output folder. */
  Path folder();

  /** Asks it to end now, saving the episodes that came to their end. */
  void stop();

  /** How it ended; completes exceptionally if it failed. What was played is saved in any case. */
  CompletableFuture<Outcome> outcome();

  /**
   * How a rollout ended.
   *
   * @param tags in the order of their names
   * @param seconds it took to play
   * @param interrupted whether {@link #stop} ended it early
   * @param notices a line for each kind of failure of an environment
   */
  record Outcome(List<Tag> tags, double seconds, boolean interrupted, List<String> notices) {}

  /**
   * What became of the episodes of one tag; means over episodes.
   *
   * @param tag name of the custom environment
   * @param episodes how many came to their end
   * @param turns of all of them
   * @param success share that succeeded, where the environment says so
   * @param score sum of the rewards of an episode
   * @param length tokens of the responses of an episode
   * @param failed episodes that the environment failed; empty where the rollout was ended early
   */
  record Tag(
      String tag,
      int episodes,
      long turns,
      OptionalDouble success,
      double score,
      double length,
      OptionalInt failed) {}
}
