package roll.api.rollout;

import org.osgi.annotation.versioning.ConsumerType;

/** An {@link Agent} at play. Called from many threads at once, one call at a time an episode. */
@ConsumerType
public interface Player extends AutoCloseable {
  /**
   * The response to a turn, as the agent would write it; blocks until it is there. Called on the
   * episode's own virtual thread. Time limits are the player's own: nobody watches over it. What
   * depends on chance depends on {@link AgentTurn#seed()} alone.
   *
   * @throws roll.api.option.UserException if there is none, after whatever was worth trying again:
   *     the rollout ends with its message
   */
  String respond(AgentTurn turn) throws InterruptedException;

  /** How many episodes may be in play at once; as many as there are, by standard. */
  default int mostEpisodes() {
    return Integer.MAX_VALUE;
  }

  /** Frees what the player holds; the standard does nothing. */
  @Override
  default void close() {}
}
