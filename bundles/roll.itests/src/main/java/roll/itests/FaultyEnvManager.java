package roll.itests;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import roll.api.config.EnvConfig;
import roll.api.data.Trajectory;
import roll.api.rollout.EnvManager;
import roll.api.rollout.EpisodeContext;

/**
 * Wraps an environment manager; after some episodes every reward is a constant, possibly not
 * finite.
 */
final class FaultyEnvManager implements EnvManager {
  private final EnvManager manager;
  private final double reward;
  private final AtomicInteger healthy;

  /**
   * Wraps {@code manager}.
   *
   * @param healthy number of unchanged episodes
   * @param reward reward of every turn after them
   */
  FaultyEnvManager(EnvManager manager, int healthy, double reward) {
    this.manager = manager;
    this.reward = reward;
    this.healthy = new AtomicInteger(healthy);
  }

  @Override
  public void check(EnvConfig config) {
    manager.check(config);
  }

  @Override
  public Trajectory play(EpisodeContext context) throws InterruptedException {
    Trajectory played = manager.play(context);
    if (healthy.getAndDecrement() > 0) {
      return played;
    }
    double[] rewards = new double[played.rewards().length];
    Arrays.fill(rewards, reward);
    return new Trajectory(
        played.key(),
        played.sequences(),
        rewards,
        played.states(),
        played.messages(),
        played.metrics(),
        played.finish());
  }
}
