package roll.rollout.schedule;

import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import roll.api.rollout.Player;
import roll.runtime.pipeline.RolloutListener;

/**
 * Optional parts of a rollout: an agent that plays in place of the policy, and a listener.
 *
 * @param player agent in place of the policy, or null
 * @param listener receives each successful episode
 * @param places permits of concurrent episodes, or null for no limit
 */
public record RolloutHooks(
    @Nullable Player player, RolloutListener listener, @Nullable Semaphore places) {
  /** Hooks of the policy, without a listener. */
  static final RolloutHooks POLICY = of(null, RolloutListener.NONE);

  /** Returns hooks of the policy with permits of concurrent episodes. */
  static RolloutHooks of(Semaphore places) {
    return new RolloutHooks(null, RolloutListener.NONE, places);
  }

  /** Returns hooks for {@code player}, or for the policy if that is null. */
  public static RolloutHooks of(@Nullable Player player, RolloutListener listener) {
    int most = player == null ? Integer.MAX_VALUE : Math.max(1, player.maxEpisodes());
    return new RolloutHooks(
        player, listener, most == Integer.MAX_VALUE ? null : new Semaphore(most, true));
  }
}
