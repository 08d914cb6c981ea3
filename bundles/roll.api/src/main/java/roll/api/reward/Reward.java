package roll.api.reward;

import org.osgi.annotation.versioning.ConsumerType;
import roll.api.data.Trajectory;

/** A configured term of the reward. Called from many threads at once. */
@ConsumerType
@FunctionalInterface
public interface Reward extends AutoCloseable {
  /**
   * What a finished episode earns, before the weight that the configuration gives it. It is added
   * to the reward of the episode's last turn. A function of the episode, and of what models answer:
   * the same episode earns the same.
   *
   * @param episode with the rewards of the environment alone
   * @param models that may be asked
   */
  Grade grade(Trajectory episode, RewardModels models) throws InterruptedException;

  /** Frees what the term holds; the standard does nothing. */
  @Override
  default void close() {}
}
