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
import roll.runtime.option.KnownAnswers;

/**
 * What the episodes of one tag are played with.
 *
 * @param config the custom environment
 * @param scenario its world
 * @param manager how an episode becomes a trajectory
 * @param rewards that are added to those of the world
 * @param agent what calls tools for the policy, or null
 * @param bundle name and version of the bundle that the world comes from
 */
public record EnvSetup(
    EnvConfig config,
    Scenario scenario,
    EnvManager manager,
    List<WeightedReward> rewards,
    @Nullable AgentTools agent,
    String bundle) {
  /**
   * Makes sure that every task that is written down can be graded by the rewards.
   *
   * @throws roll.api.option.UserException for the first that cannot
   */
  public void answersAreKnown() {
    List<AnswerKey> keys =
        rewards.stream().map(WeightedReward::key).filter(Objects::nonNull).toList();
    try (Stream<TaskInfo> tasks = scenario.tasks()) {
      tasks.forEach(
          task -> {
            keys.forEach(key -> KnownAnswers.require(key, task));
            rewards.forEach(reward -> reward.reward().check(task));
          });
    }
  }

  /**
   * A finished episode with all rewards, and with the name of what it was played with. One that a
   * reward cannot grade counts as failed.
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
          EnvironmentException.gave("what played it", "a reward that is no finite number"));
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

  /** The last turn earns nothing, whatever its world says; no reward is asked. */
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
