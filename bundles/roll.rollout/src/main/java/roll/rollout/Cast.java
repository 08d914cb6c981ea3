package roll.rollout;

import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import roll.api.rollout.Player;
import roll.runtime.pipeline.RolloutListener;

/**
 * Who plays a rollout, and who hears of it.
 *
 * @param player writes the responses in place of the policy, or null
 * @param listener is told of each episode that ended well
 * @param places how many episodes may be in play at once, or null for any number
 */
record Cast(@Nullable Player player, RolloutListener listener, @Nullable Semaphore places) {
  /** The policy plays, and nobody listens. */
  static final Cast POLICY = of(null, RolloutListener.NONE);

  /** {@code player}, or the policy where that is null, plays. */
  static Cast of(@Nullable Player player, RolloutListener listener) {
    int most = player == null ? Integer.MAX_VALUE : Math.max(1, player.mostEpisodes());
    return new Cast(player, listener, most == Integer.MAX_VALUE ? null : new Semaphore(most, true));
  }
}
