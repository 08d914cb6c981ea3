package roll.rollout;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import roll.api.config.EnvConfig;
import roll.api.config.EnvLimits;
import roll.api.config.PromptConfig;
import roll.api.config.RewardConfig;
import roll.api.reward.RewardFunction;
import roll.api.strategy.Generator;
import roll.api.strategy.Sampling;
import roll.rollout.chat.NamedChatFormats;
import roll.rollout.manager.TrajectoryEnvManager;
import roll.rollout.schedule.EqualScoresFilter;
import roll.runtime.config.EnvManagerConfig;
import roll.runtime.config.EnvMonitorConfig;
import roll.runtime.pipeline.PolicyModel;
import roll.runtime.pipeline.RolloutEnvs;
import roll.runtime.pipeline.RolloutRequest;
import roll.template.FolderChatTemplates;
import roll.testkit.InMemoryPluginRegistry;

/** Settings shared by the tests. */
@NullMarked
public final class Games {
  public static final Sampling SAMPLING = Sampling.of(8);

  private Games() {}

  /** The real service with {@code game} and the trajectory manager. */
  public static RolloutService service(CountingGame game) {
    return service(
        new InMemoryPluginRegistry()
            .with("roll.env", "counting", game)
            .with("roll.env.manager", "trajectory", new TrajectoryEnvManager())
            .with("roll.group.filter", "equal_scores", new EqualScoresFilter()));
  }

  /** The real service with {@code plugins}. */
  public static RolloutService service(InMemoryPluginRegistry plugins) {
    return new RolloutService(new NamedChatFormats(new FolderChatTemplates()), plugins);
  }

  /** The plugins for {@link #rewarded}: {@code function} is the reward. */
  public static InMemoryPluginRegistry rewarding(String reward, RewardFunction function) {
    return new InMemoryPluginRegistry()
        .with("roll.env", "counting", new CountingGame())
        .with("roll.env.manager", "trajectory", new TrajectoryEnvManager())
        .with("roll.reward", reward, function);
  }

  /** The game {@code A} of one turn whose only reward is {@code reward}. */
  public static EnvConfig rewarded(String reward) {
    return new EnvConfig(
        "A",
        "counting",
        "trajectory",
        EnvLimits.steps(1),
        PromptConfig.of("{observation}"),
        Map.of(),
        List.of(new RewardConfig(reward, 1, Map.of())),
        null);
  }

  public static EnvConfig game(String tag, Map<String, Object> options) {
    return game(tag, "Turn {turn_idx}: {observation}", options);
  }

  public static EnvConfig game(String tag, String template, Map<String, Object> options) {
    return new EnvConfig(
        tag, "counting", "trajectory", EnvLimits.steps(5), PromptConfig.of(template), options);
  }

  public static EnvManagerConfig envs(List<String> tags, List<Integer> groups, int size) {
    return new EnvManagerConfig(tags, groups, size, 0, "none", SAMPLING);
  }

  public static RolloutRequest request(
      String purpose,
      int trajectories,
      EnvManagerConfig envs,
      Generator policy,
      EnvConfig... games) {
    return request(purpose, trajectories, envs, policy, new EnvMonitorConfig(30, 1, 3), games);
  }

  public static RolloutRequest request(
      String purpose,
      int trajectories,
      EnvManagerConfig envs,
      Generator policy,
      EnvMonitorConfig monitor,
      EnvConfig... games) {
    Map<String, EnvConfig> byTag =
        Stream.of(games).collect(Collectors.toMap(EnvConfig::tag, game -> game));
    return new RolloutRequest(
        purpose,
        42,
        0,
        trajectories,
        new RolloutEnvs(envs, byTag, monitor, Set.of()),
        new PolicyModel("qwen2_5", CharTokenizer.chatMl(), policy, 400),
        Map.of(),
        0);
  }
}
