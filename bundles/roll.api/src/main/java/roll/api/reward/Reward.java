package roll.api.reward;

import org.osgi.annotation.versioning.ConsumerType;
import roll.api.data.Trajectory;
import roll.api.env.TaskInfo;

/** A configured term of the reward. Called from many threads at once. */
@ConsumerType
@FunctionalInterface
public interface Reward extends AutoCloseable {
  /**
   * The score of a finished episode, before its weight in the configuration. It is added to the
   * reward of the episode's last turn. A function of the episode and of the models' answers: the
   * same episode has the same score.
   *
   * @param episode with the rewards of the environment alone
   * @param models that may be asked
   */
  Grade grade(Trajectory episode, RewardModels models) throws InterruptedException;

  /**
   * Makes sure that episodes of {@code task}, which is written down, can be graded; called before
   * anything is played. By default it is not looked at.
   *
   * @throws roll.api.option.UserException naming the task, if they cannot
   */
  default void check(TaskInfo task) {}

  /** Frees the resources of the term; does nothing by default. */
  @Override
  default void close() {}
}
