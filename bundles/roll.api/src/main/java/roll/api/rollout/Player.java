package roll.api.rollout;

import org.osgi.annotation.versioning.ConsumerType;

/** An {@link Agent} playing. Called from many threads at once, one call at a time per episode. */
@ConsumerType
public interface Player extends AutoCloseable {
  /**
   * The response to a turn, as the agent would write it; blocks until it is there. Called on the
   * episode's own virtual thread. The player is responsible for time limits. Randomness depends
   * only on {@link AgentTurn#seed()}.
   *
   * @throws roll.api.option.UserException if there is none, after whatever was worth trying again:
   *     the rollout ends with its message
   */
  String respond(AgentTurn turn) throws InterruptedException;

  /** How many episodes may be played at once; unlimited by default. */
  default int maxEpisodes() {
    return Integer.MAX_VALUE;
  }

  /** Frees the resources of the player; does nothing by default. */
  @Override
  default void close() {}
}
