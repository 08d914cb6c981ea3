package roll.runtime.plugin;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import roll.api.loss.LossSettings;
import roll.runtime.config.NamedPlugin;
import roll.runtime.config.RunConfig;

/** References of a configuration to its estimator, its loss and its trackers. */
final class AlgorithmReferences {
  private AlgorithmReferences() {}

  static List<ConfigReference> estimator(RunConfig run) {
    String key = "adv_estimator";
    NamedPlugin named = new NamedPlugin(key, "roll.estimator", run.algorithm().estimator().name());
    return List.of(ConfigReference.of(named, key + "_args", run.algorithm().estimator().args()));
  }

  static List<ConfigReference> loss(RunConfig run) {
    String key = "actor_train.pg_variant";
    LossSettings loss = run.algorithm().loss();
    NamedPlugin named = new NamedPlugin(key, "roll.loss", loss.loss());
    return List.of(ConfigReference.of(named, key + "_args", loss.args()));
  }

  static List<ConfigReference> trackers(RunConfig run) {
    return run.tracking().trackers().stream().map(id -> tracker(run, id)).toList();
  }

  private static ConfigReference tracker(RunConfig run, String id) {
    return new ConfigReference(
        new NamedPlugin("track_with", "roll.tracker", id),
        "tracker_kwargs." + id,
        run.tracking().options(id),
        (to, kept) -> {
          Map<String, Object> options = new LinkedHashMap<>(run.tracking().options());
          options.remove(id);
          if (!kept.isEmpty()) {
            options.put(to, kept);
          }
          Map<String, Object> overrides = new LinkedHashMap<>();
          overrides.put("track_with", replaced(run.tracking().trackers(), id, to));
          overrides.put("tracker_kwargs", options);
          return overrides;
        });
  }

  /** Returns {@code ids} with {@code to} in place of {@code id}, each once. */
  private static List<String> replaced(List<String> ids, String id, String to) {
    return ids.stream().map(other -> other.equals(id) ? to : other).distinct().toList();
  }
}
