package roll.api.config;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One entry of {@code custom_envs}.
 *
 * @param tag its name
 * @param envType id of the environment service
 * @param manager id of the environment manager
 * @param limits of its episodes
 * @param prompts how prompts are built
 * @param options {@code env_config} as written; the environment checks it
 * @param rewards terms added to the environment's own rewards, in the order written
 * @param agent tool use of the policy, or null for none
 * @param runner the program that plays its episodes, or null if the manager does
 */
public record EnvConfig(
    String tag,
    String envType,
    String manager,
    EnvLimits limits,
    PromptConfig prompts,
    Map<String, Object> options,
    List<RewardConfig> rewards,
    @Nullable AgentConfig agent,
    @Nullable AgentRunnerConfig runner) {
  /** Creates an environment entry whose environment manager plays its episodes. */
  public EnvConfig(
      String tag,
      String envType,
      String manager,
      EnvLimits limits,
      PromptConfig prompts,
      Map<String, Object> options,
      List<RewardConfig> rewards,
      @Nullable AgentConfig agent) {
    this(tag, envType, manager, limits, prompts, options, rewards, agent, null);
  }

  /**
   * Creates an environment entry without tools whose rewards are those of the environment alone.
   */
  public EnvConfig(
      String tag,
      String envType,
      String manager,
      EnvLimits limits,
      PromptConfig prompts,
      Map<String, Object> options) {
    this(tag, envType, manager, limits, prompts, options, List.of(), null, null);
  }
}
