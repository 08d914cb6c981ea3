package roll.runtime.pipeline;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import roll.api.config.EnvConfig;
import roll.api.model.Tokenizer;
import roll.api.strategy.Generator;
import roll.runtime.config.EnvManagerConfig;
import roll.runtime.config.EnvMonitorConfig;

/**
 * What a rollout needs.
 *
 * @param purpose {@code train} or {@code val}; part of every random stream
 * @param seed root of the random streams
 * @param firstEpisode number of the first episode of each group; episodes of later steps follow
 * @param trajectories how many are wanted
 * @param envs which environments, how many groups
 * @param customEnvs environments by tag
 * @param template chat format
 * @param tokenizer of the policy's model
 * @param policy who writes the responses
 * @param sequenceLength most tokens of a trajectory
 * @param monitor how environments are watched over
 * @param excluded tags that are not played; others are in their place
 * @param models that rewards may ask, by name
 * @param drawn how many episodes, the first ones, are drawn as pictures
 */
public record RolloutRequest(
    String purpose,
    long seed,
    int firstEpisode,
    int trajectories,
    EnvManagerConfig envs,
    Map<String, EnvConfig> customEnvs,
    String template,
    Tokenizer tokenizer,
    Generator policy,
    int sequenceLength,
    EnvMonitorConfig monitor,
    Set<String> excluded,
    Map<String, RewardModel> models,
    int drawn) {
  /** One whose rewards ask no model. */
  public RolloutRequest(
      String purpose,
      long seed,
      int firstEpisode,
      int trajectories,
      EnvManagerConfig envs,
      Map<String, EnvConfig> customEnvs,
      String template,
      Tokenizer tokenizer,
      Generator policy,
      int sequenceLength,
      EnvMonitorConfig monitor,
      Set<String> excluded,
      int drawn) {
    this(
        purpose,
        seed,
        firstEpisode,
        trajectories,
        envs,
        customEnvs,
        template,
        tokenizer,
        policy,
        sequenceLength,
        monitor,
        excluded,
        Map.of(),
        drawn);
  }

  /** How many episodes of a group's life this takes: as many as the busiest group plays. */
  public int episodes() {
    return Math.ceilDiv(trajectories, envs.groups() * envs.groupSize());
  }

  /**
   * The same so many steps later.
   *
   * @param without tags that are not played either
   */
  public RolloutRequest later(int steps, Set<String> without) {
    Set<String> excluded = new TreeSet<>(this.excluded);
    excluded.addAll(without);
    return new RolloutRequest(
        purpose,
        seed,
        firstEpisode + steps * episodes(),
        trajectories,
        envs,
        customEnvs,
        template,
        tokenizer,
        policy,
        sequenceLength,
        monitor,
        excluded,
        models,
        drawn);
  }
}
