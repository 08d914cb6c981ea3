package roll.config;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import roll.runtime.config.EnvManagerConfig;
import roll.runtime.config.RunConfig;

/** The notices on a configuration. */
final class Notices {
  private static final String IDLE = " has no effect here: ";

  private Notices() {}

  /**
   * The notices of {@code notices} on another system's options that never have an effect here,
   * without those on options that another one disables.
   */
  static Set<String> ofOtherSystems(List<String> notices) {
    Set<String> unneeded = new LinkedHashSet<>();
    for (String notice : notices) {
      if (notice.contains(IDLE) && !notice.endsWith(" is false")) {
        unneeded.add(notice);
      }
    }
    return unneeded;
  }

  /** That training has log-probs of another distribution than the one that was sampled from. */
  static List<String> ofSampling(RunConfig run) {
    EnvManagerConfig envs = run.rollout().trainEnvs();
    double temperature = envs.sampling().temperature();
    return temperature == 1 || temperature == 0 || !envs.proxy().isPolicy()
        ? List.of()
        : List.of(
            "train_env_manager.generating_args.temperature is "
                + temperature
                + ": ratios, KL terms and entropies are those of temperature 1, as in ROLL; verl"
                + " and TRL divide the logits by it in training too");
  }

  /** Those of {@code notices} whose key no interpolation refers to, so that it does nothing. */
  static List<String> unused(List<String> notices, Set<String> referenced) {
    return notices.stream()
        .filter(notice -> referenced.stream().noneMatch(key -> notice.contains("'" + key + "'")))
        .toList();
  }
}
