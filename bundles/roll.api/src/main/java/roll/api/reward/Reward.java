package roll.api.reward;

import org.osgi.annotation.versioning.ConsumerType;
import roll.api.data.Trajectory;

/** A configured term of the reward. Called from many threads at once. */
@ConsumerType
@FunctionalInterface
public interface Reward {
  /**
   * What a finished episode earns, before the weight that the configuration gives it. It is added
   * to the reward of the episode's last turn. A function of the episode alone: the same episode
   * earns the same.
   *
   * @param episode with the rewards of the environment alone
   * @return a finite number
   */
  double score(Trajectory episode);
}
