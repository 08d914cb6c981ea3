package roll.core.curriculum;

import java.util.List;
import java.util.Map;
import roll.api.curriculum.Curriculum;
import roll.api.curriculum.CurriculumProgress;
import roll.api.curriculum.EnvironmentMix;
import roll.api.option.Options;
import roll.api.plugin.Lease;
import roll.core.plugin.PluginGuard;
import roll.runtime.config.CurriculumConfig;
import roll.runtime.option.YamlOptions;

/**
 * A curriculum whose failures and invalid results end the run with a one-line message.
 *
 * @param guard names it
 */
record GuardedCurriculum(Curriculum curriculum, Map<String, Object> given, PluginGuard guard) {
  private static final double ROUNDING = 1e-6;

  /** Returns the leased curriculum that {@code config} names. */
  static GuardedCurriculum of(Lease<Curriculum> lease, CurriculumConfig config) {
    return new GuardedCurriculum(
        lease.service(),
        config.options(),
        PluginGuard.of("curriculum", config.type(), lease.bundle()));
  }

  /** Returns the curriculum's mix after validation. */
  EnvironmentMix next(CurriculumProgress progress) {
    Options options =
        YamlOptions.checked("curriculum", given, guard.call("options", curriculum::options));
    EnvironmentMix mix = guard.call("next", () -> curriculum.next(progress, options));
    List<String> tags = progress.levels().stream().map(CurriculumProgress.Level::tag).toList();
    double sum = 0;
    for (Map.Entry<String, Double> share : mix.shares().entrySet()) {
      if (!tags.contains(share.getKey())) {
        throw guard.gave("next", "a share to '" + share.getKey() + "', which is not in " + tags);
      }
      if (!(share.getValue() >= 0 && share.getValue() <= 1 + ROUNDING)) {
        throw guard.gave("next", "'" + share.getKey() + "' the share " + share.getValue());
      }
      sum += share.getValue();
    }
    if (Math.abs(sum - 1) > ROUNDING) {
      throw guard.gave("next", "shares that add up to " + sum + ", not to 1");
    }
    mix.memory()
        .forEach(
            (name, value) -> {
              if (!Double.isFinite(value)) {
                throw guard.gave("next", "'" + name + "' = " + value + " to be remembered");
              }
            });
    return mix;
  }
}
