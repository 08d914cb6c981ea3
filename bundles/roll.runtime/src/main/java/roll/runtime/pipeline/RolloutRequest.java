package roll.runtime.pipeline;

import java.util.List;
import java.util.Map;
import java.util.Set;
import roll.runtime.trace.TraceScope;

/**
 * A request for a rollout.
 *
 * @param purpose {@code train} or {@code val}; part of every random stream
 * @param seed root of the random streams
 * @param firstEpisode number of the first episode of each group; episodes of later steps follow
 * @param trajectories number of trajectories to return
 * @param envs environments, groups and limits
 * @param policy source of the responses
 * @param models reward models by name
 * @param drawn number of episodes, from the first, that are rendered
 * @param trace begins the spans of the episodes
 */
public record RolloutRequest(
    String purpose,
    long seed,
    int firstEpisode,
    int trajectories,
    RolloutEnvs envs,
    PolicyModel policy,
    Map<String, RewardModel> models,
    int drawn,
    TraceScope trace) {
  /** A rollout that records no spans. */
  public RolloutRequest(
      String purpose,
      long seed,
      int firstEpisode,
      int trajectories,
      RolloutEnvs envs,
      PolicyModel policy,
      Map<String, RewardModel> models,
      int drawn) {
    this(purpose, seed, firstEpisode, trajectories, envs, policy, models, drawn, TraceScope.NONE);
  }

  /** Returns the request with the spans of its episodes. */
  public RolloutRequest traced(TraceScope trace) {
    return new RolloutRequest(
        purpose, seed, firstEpisode, trajectories, envs, policy, models, drawn, trace);
  }

  /** Returns the number of episodes that the busiest group plays. */
  public int episodes() {
    return Math.ceilDiv(trajectories, envs.manager().groups() * envs.manager().groupSize());
  }

  /** Returns the request with other numbers of groups by tag. */
  public RolloutRequest withGroups(List<Integer> groupsByTag) {
    return new RolloutRequest(
        purpose,
        seed,
        firstEpisode,
        trajectories,
        envs.withGroups(groupsByTag),
        policy,
        models,
        drawn,
        trace);
  }

  /**
   * Returns the request moved by a number of steps.
   *
   * @param without tags that are not played either
   */
  public RolloutRequest later(int steps, Set<String> without) {
    return new RolloutRequest(
        purpose,
        seed,
        firstEpisode + steps * episodes(),
        trajectories,
        envs.without(without),
        policy,
        models,
        drawn,
        trace);
  }
}
