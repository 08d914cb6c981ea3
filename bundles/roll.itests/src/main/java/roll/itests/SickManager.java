package roll.itests;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import roll.api.config.EnvConfig;
import roll.api.data.Trajectory;
import roll.api.rollout.EnvManager;
import roll.api.rollout.EpisodeContext;

/**
 * A manager as another one for some episodes; in later ones every reward is the same number, which
 * need not be finite.
 */
final class SickManager implements EnvManager {
  private final EnvManager manager;
  private final double reward;
  private final AtomicInteger healthy;

  /**
   * As {@code manager}.
   *
   * @param healthy how many episodes are as {@code manager} plays them
   * @param reward of every turn after them
   */
  SickManager(EnvManager manager, int healthy, double reward) {
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
