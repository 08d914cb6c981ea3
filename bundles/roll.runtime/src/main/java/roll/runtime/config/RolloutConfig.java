package roll.runtime.config;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.config.AgentRunnerConfig;
import roll.api.config.EnvConfig;

/**
 * The environments of a run and how they are played.
 *
 * @param trainEnvs environments of the training rollout ({@code train_env_manager})
 * @param valEnvs environments of the validation rollout ({@code val_env_manager})
 * @param customEnvs environments by tag
 * @param monitor how environments are watched over
 * @param mock where rollouts are written or read, or null for neither ({@code rollout_mock})
 * @param curriculum who mixes the tags of training, or null where their groups are fixed
 */
public record RolloutConfig(
    EnvManagerConfig trainEnvs,
    EnvManagerConfig valEnvs,
    Map<String, EnvConfig> customEnvs,
    EnvMonitorConfig monitor,
    @Nullable RolloutMockConfig mock,
    @Nullable CurriculumConfig curriculum) {
  /** Environments whose groups are fixed. */
  public RolloutConfig(
      EnvManagerConfig trainEnvs,
      EnvManagerConfig valEnvs,
      Map<String, EnvConfig> customEnvs,
      EnvMonitorConfig monitor,
      @Nullable RolloutMockConfig mock) {
    this(trainEnvs, valEnvs, customEnvs, monitor, mock, null);
  }

  /** Whether any episode is played by a program whose requests are answered at once. */
  public boolean timed() {
    return playedEnvs().stream().anyMatch(RolloutConfig::isTimed);
  }

  /**
   * Whether the episodes of {@code env} are played by a program whose requests are answered at
   * once.
   */
  public static boolean isTimed(EnvConfig env) {
    AgentRunnerConfig runner = env.runner();
    return runner != null && !runner.deterministic();
  }

  /** Returns the environments of training or validation, in the order of the configuration. */
  public List<EnvConfig> playedEnvs() {
    return customEnvs.values().stream()
        .filter(env -> trainEnvs.tags().contains(env.tag()) || valEnvs.tags().contains(env.tag()))
        .toList();
  }
}
