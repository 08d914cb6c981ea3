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
 * @param maxSteps most turns of an episode
 * @param maxTokensPerStep most tokens of one response; 0 leaves it to the generating_args
 * @param historyLength how many earlier turns a prompt rebuilt tells of
 * @param maxStepConcurrent most calls of step and reset at once; 0 sets no limit
 * @param systemTemplate system message, or null for none
 * @param template user message of a turn, with placeholders in braces
 * @param options {@code env_config} as written; the environment checks it
 * @param rewards what is added to the environment's own rewards, in the order written
 * @param promptLimit how long the first prompt may be
 * @param agent how the policy calls tools, or null where it has none
 */
public record EnvConfig(
    String tag,
    String envType,
    String manager,
    int maxSteps,
    int maxTokensPerStep,
    int historyLength,
    int maxStepConcurrent,
    @Nullable String systemTemplate,
    String template,
    Map<String, Object> options,
    List<RewardConfig> rewards,
    PromptLimit promptLimit,
    @Nullable AgentConfig agent) {
  /** One whose environment's rewards are all there is. */
  public EnvConfig(
      String tag,
      String envType,
      String manager,
      int maxSteps,
      int maxTokensPerStep,
      int historyLength,
      int maxStepConcurrent,
      @Nullable String systemTemplate,
      String template,
      Map<String, Object> options) {
    this(
        tag,
        envType,
        manager,
        maxSteps,
        maxTokensPerStep,
        historyLength,
        maxStepConcurrent,
        systemTemplate,
        template,
        options,
        List.of(),
        PromptLimit.NONE,
        null);
  }
}
