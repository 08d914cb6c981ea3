package roll.api.rollout;

import org.osgi.annotation.versioning.ConsumerType;

/**
 * A configured {@link Agent} that writes responses instead of the policy. Called from many threads
 * at once, one call at a time per episode.
 */
@ConsumerType
public interface Player extends AutoCloseable {
  /**
   * Returns the response to a turn; blocks until it is available. Called on the episode's own
   * virtual thread. The player is responsible for time limits and retries. Randomness depends only
   * on {@link AgentTurn#seed()}.
   *
   * @throws roll.api.option.UserException if there is no response; ends the rollout
   */
  String respond(AgentTurn turn) throws InterruptedException;

  /** Maximum number of concurrent episodes; unlimited by default. */
  default int maxEpisodes() {
    return Integer.MAX_VALUE;
  }

  /** Frees the resources of the player; does nothing by default. */
  @Override
  default void close() {}
}
