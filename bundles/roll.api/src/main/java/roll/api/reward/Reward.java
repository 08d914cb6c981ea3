package roll.api.reward;

import org.osgi.annotation.versioning.ConsumerType;
import roll.api.data.Trajectory;
import roll.api.env.TaskInfo;

/** A configured term of the reward. Called from many threads at once. */
@ConsumerType
@FunctionalInterface
public interface Reward extends AutoCloseable {
  /**
   * Scores a finished episode. The score is multiplied by the configured weight and added to the
   * reward of the last turn. A deterministic function of the episode and of the models' answers.
   *
   * @param episode with the rewards of the environment alone
   * @param models models the reward may query
   */
  Grade grade(Trajectory episode, RewardModels models) throws InterruptedException;

  /**
   * Checks before the run that episodes of {@code task} can be graded. Does nothing by default.
   *
   * @throws roll.api.option.UserException naming the task, if they cannot
   */
  default void check(TaskInfo task) {}

  /** Frees the resources of the term; does nothing by default. */
  @Override
  default void close() {}
}
