package roll.rollout.schedule;

import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import roll.api.rollout.Player;
import roll.runtime.pipeline.RolloutListener;

/**
 * The agent that plays a rollout instead of the policy, if any, and the listener.
 *
 * @param player writes the responses in place of the policy, or null
 * @param listener is told of each episode that ended well
 * @param places permits of the episodes that may run at once, or null for any number
 */
public record RolloutHooks(
    @Nullable Player player, RolloutListener listener, @Nullable Semaphore places) {
  /** The policy plays, without a listener. */
  static final RolloutHooks POLICY = of(null, RolloutListener.NONE);

  /** {@code player}, or the policy where that is null, plays. */
  public static RolloutHooks of(@Nullable Player player, RolloutListener listener) {
    int most = player == null ? Integer.MAX_VALUE : Math.max(1, player.maxEpisodes());
    return new RolloutHooks(
        player, listener, most == Integer.MAX_VALUE ? null : new Semaphore(most, true));
  }
}
