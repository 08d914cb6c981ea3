package roll.core.check;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import roll.api.estimator.EstimatorInfo;
import roll.api.loss.LossInfo;
import roll.runtime.option.YamlOptions;

/** Finds keys of a run that were set though the chosen estimator and loss do not read them. */
final class UnusedKeys {
  /** Keys that only some estimators read, as themselves or as an option. */
  private static final List<String> OF_ESTIMATORS =
      List.of(
          EstimatorInfo.GAMMA,
          EstimatorInfo.LAMBDA,
          "episode_reward_weight",
          "step_reward_weight",
          "step_reward_gamma");

  private final Set<String> changed;
  private final List<String> notices = new ArrayList<>();

  /** Returns the keys in {@code changed} whose value is not the default. */
  UnusedKeys(Set<String> changed) {
    this.changed = changed;
  }

  /** A line for each key that was found, in the order of what was looked at. */
  List<String> notices() {
    return List.copyOf(notices);
  }

  /** Looks for keys that the estimator {@code name} does not read. */
  void by(String name, EstimatorInfo info) {
    List<String> options = YamlOptions.names(info.options());
    for (String key : OF_ESTIMATORS) {
      look(key, info.reads().contains(key) || options.contains(key), "adv_estimator " + name);
    }
  }

  /** Looks for keys that the loss {@code name} does not read. */
  void by(String name, LossInfo info) {
    Map<String, String> keys = new LinkedHashMap<>();
    List.of("pg_clip", "use_pg_clip_range", "pg_clip_low", "pg_clip_high")
        .forEach(key -> keys.put(key, LossInfo.PG_CLIP));
    keys.put("dual_clip_loss", LossInfo.DUAL_CLIP_LOSS);
    keys.put("ratio_type", LossInfo.RATIO_TYPE);
    keys.forEach((key, word) -> look(key, info.reads().contains(word), "pg_variant " + name));
  }

  private void look(String key, boolean read, String part) {
    if (!read && changed.contains(key)) {
      notices.add("key '" + key + "' has no effect here: " + part + " does not read it");
    }
  }
}
