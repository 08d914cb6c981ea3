package roll.runtime.pipeline;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import roll.api.config.EnvConfig;
import roll.runtime.config.EnvManagerConfig;
import roll.runtime.config.EnvMonitorConfig;
import roll.runtime.config.RolloutConfig;

/**
 * The environments of a rollout.
 *
 * @param manager which environments, how many groups, and how the policy is sampled in them
 * @param customEnvs environments by tag
 * @param monitor how environments are watched over
 * @param excluded tags that are not played; others are in their place
 */
public record RolloutEnvs(
    EnvManagerConfig manager,
    Map<String, EnvConfig> customEnvs,
    EnvMonitorConfig monitor,
    Set<String> excluded) {
  /** Whether any episode is played by a program whose requests are answered at once. */
  public boolean timed() {
    return customEnvs.values().stream()
        .filter(env -> manager.tags().contains(env.tag()))
        .anyMatch(RolloutConfig::isTimed);
  }

  /** Returns the environments with other numbers of groups by tag. */
  public RolloutEnvs withGroups(List<Integer> groupsByTag) {
    return new RolloutEnvs(manager.withGroups(groupsByTag), customEnvs, monitor, excluded);
  }

  /** Returns the environments without the tags {@code others} too. */
  public RolloutEnvs without(Set<String> others) {
    Set<String> all = new TreeSet<>(excluded);
    all.addAll(others);
    return new RolloutEnvs(manager, customEnvs, monitor, all);
  }
}
