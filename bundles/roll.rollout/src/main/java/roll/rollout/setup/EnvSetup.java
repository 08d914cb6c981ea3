package roll.rollout.setup;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import roll.api.agent.AgentTools;
import roll.api.config.EnvConfig;
import roll.api.config.EnvLimits.CutResponses;
import roll.api.data.Trajectory;
import roll.api.env.Scenario;
import roll.api.env.Step;
import roll.api.env.TaskInfo;
import roll.api.option.UserException;
import roll.api.reward.AnswerKey;
import roll.api.reward.RewardModels;
import roll.api.rollout.EnvManager;
import roll.rollout.supervise.Attempt;
import roll.rollout.supervise.AttemptResult;
import roll.rollout.supervise.EnvironmentException;
import roll.runtime.option.AnswerKeyCheck;

/**
 * The environment, manager, rewards and tools of one tag.
 *
 * @param config configuration of the environment
 * @param scenario the environment
 * @param manager converts episodes to trajectories
 * @param rewards reward functions, added to the environment's reward
 * @param agent tools of the policy, or null
 * @param bundle name and version of the bundle of the environment
 */
public record EnvSetup(
    EnvConfig config,
    Scenario scenario,
    EnvManager manager,
    List<WeightedReward> rewards,
    @Nullable AgentTools agent,
    String bundle) {
  /**
   * Checks that the rewards can grade every task that the environment lists.
   *
   * @throws UserException for the first task that cannot be graded, with the number of others
   */
  public void checkAnswers() {
    List<AnswerKey> keys =
        rewards.stream().map(WeightedReward::key).filter(Objects::nonNull).toList();
    UserException first = null;
    int bad = 0;
    try (Stream<TaskInfo> tasks = scenario.tasks()) {
      for (TaskInfo task : (Iterable<TaskInfo>) tasks::iterator) {
        try {
          keys.forEach(key -> AnswerKeyCheck.require(key, task));
          rewards.forEach(reward -> reward.reward().check(task));
        } catch (UserException e) {
          first = first == null ? e : first;
          bad++;
        }
      }
    }
    if (first != null) {
      throw bad == 1
          ? first
          : new UserException("%s (and %d more)".formatted(first.getMessage(), bad - 1), first);
    }
  }

  /**
   * Adds the rewards and the bundle to a finished episode. An episode that a reward cannot grade
   * counts as failed.
   */
  public AttemptResult finish(Attempt attempt, Trajectory played, RewardModels models) {
    Trajectory named = played.playedWith(bundle);
    if (config.limits().cut() == CutResponses.FAIL && named.endsCut()) {
      return new AttemptResult(attempt, failed(named), null);
    }
    if (!named.graded()) {
      return new AttemptResult(
          attempt,
          named,
          EnvironmentException.of("the environment manager returned a reward that is not finite"));
    }
    if (rewards.isEmpty()) {
      return new AttemptResult(attempt, named, null);
    }
    Trajectory ungraded = ungraded(named);
    try {
      String call = "a reward of " + config.tag();
      Trajectory graded = attempt.reward(call, ungraded, () -> reward(named, models));
      return new AttemptResult(attempt, graded, null);
    } catch (EnvironmentException | UserException e) {
      return new AttemptResult(attempt, ungraded, EnvironmentException.ungraded(e));
    }
  }

  private Trajectory ungraded(Trajectory named) {
    Trajectory failed = failed(named);
    Map<String, Double> metrics = new LinkedHashMap<>(failed.metrics());
    rewards.forEach(reward -> metrics.put(WeightedReward.METRIC + reward.name(), 0.0));
    metrics.put(Trajectory.UNGRADED, 1.0);
    return failed.withRewards(failed.rewards(), metrics);
  }

  /**
   * Returns the trajectory with a reward of 0 for the last turn, without calling reward functions.
   */
  private static Trajectory failed(Trajectory named) {
    double[] earned = named.rewards().clone();
    if (earned.length > 0) {
      earned[earned.length - 1] = 0;
    }
    Map<String, Double> metrics = new LinkedHashMap<>(named.metrics());
    metrics.computeIfPresent(Step.SUCCESS, (name, value) -> 0.0);
    return named.withRewards(earned, metrics);
  }

  private Trajectory reward(Trajectory named, RewardModels models) {
    try {
      return WeightedReward.add(rewards, named, models);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CancellationException("a reward was interrupted");
    }
  }
}
