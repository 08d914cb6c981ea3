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
  /** Returns the notices of the rollout before it is played, one line each; none by default. */
  default List<String> notices() {
    return List.of();
  }

  /** Returns the output folder of the rollout run. */
  Path folder();

  /** Ends the rollout run now and saves the completed episodes. */
  void stop();

  /**
   * Returns the outcome; completes exceptionally if the rollout failed. Completed episodes are
   * saved in any case.
   */
  CompletableFuture<Outcome> outcome();

  /**
   * The outcome of a rollout.
   *
   * @param tags in the order of their names
   * @param seconds it took to play
   * @param interrupted whether {@link #stop} ended it early
   * @param notices a line for each kind of failure of an environment, and for text that the
   *     tokenizer does not know
   */
  record Outcome(List<Tag> tags, double seconds, boolean interrupted, List<String> notices) {}

  /**
   * The results of the episodes of one tag; means over episodes.
   *
   * @param tag name of the custom environment
   * @param episodes number of completed episodes
   * @param turns of all of them
   * @param success share that succeeded, if the environment reports it
   * @param score sum of the rewards of an episode
   * @param length tokens of the responses of an episode
   * @param failed episodes that failed in the environment; empty if the rollout was ended early
   * @param failedCalls episodes in which a tool did not do what it was asked for
   */
  record Tag(
      String tag,
      int episodes,
      long turns,
      OptionalDouble success,
      double score,
      double length,
      OptionalInt failed,
      int failedCalls) {}
}
