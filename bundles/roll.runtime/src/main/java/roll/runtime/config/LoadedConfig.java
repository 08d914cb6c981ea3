package roll.runtime.config;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import roll.api.config.WorkerConfig;

/**
 * A configuration that passed every check that needs no compute.
 *
 * @param file where it came from
 * @param run the typed configuration
 * @param effectiveYaml the whole configuration after composition, interpolation, overrides and
 *     defaults, as YAML that loads to the same configuration but for secrets
 * @param secrets values that {@code effectiveYaml} leaves out, by path: with them, as overrides, it
 *     loads to the same
 * @param notices one line for each key that is accepted but does nothing
 * @param unneeded those of {@code notices} on keys that never do anything here, such as keys of
 *     devices or engines that are not there: the others may tell of a mistake
 * @param changed keys at the top that were given another value than their default
 * @param derived numbers that follow from the configuration (mini_batch, effective_batch,
 *     updates_per_step, total_updates, total_trajectories, evaluations …), in printing order
 * @param sft the demonstrations of a supervised warm start, or null where it names none
 */
public record LoadedConfig(
    Path file,
    RunConfig run,
    String effectiveYaml,
    Map<String, Object> secrets,
    List<String> notices,
    Set<String> unneeded,
    Set<String> changed,
    Map<String, Long> derived,
    @Nullable SftConfig sft) {
  private static final Set<String> SUPERVISED = Set.of("actor_train");
  private static final Set<String> COMPARED = Set.of("actor_train", "reference");

  /** Creates a loaded configuration without secrets that names no demonstrations. */
  public LoadedConfig(
      Path file,
      RunConfig run,
      String effectiveYaml,
      List<String> notices,
      Set<String> changed,
      Map<String, Long> derived) {
    this(file, run, effectiveYaml, Map.of(), notices, Set.of(), changed, derived, null);
  }

  /** Returns this configuration with another output folder; its text keeps the written one. */
  public LoadedConfig into(Path folder) {
    return new LoadedConfig(
        file, run.into(folder), effectiveYaml, secrets, notices, unneeded, changed, derived, sft);
  }

  /**
   * The roles that have a model, by name; a supervised warm start alone has but the policy and, on
   * preferences, the reference.
   */
  public Map<String, WorkerConfig> rolesByName() {
    Map<String, WorkerConfig> roles = new LinkedHashMap<>(run.roles().byName());
    if (sft != null && onlySft()) {
      roles.keySet().retainAll(sft.preference() == null ? SUPERVISED : COMPARED);
    }
    return roles;
  }

  /**
   * Whether the loaded configuration is of a supervised warm start alone, and no environment is
   * trained in.
   */
  public boolean onlySft() {
    return sft != null && run.rollout().trainEnvs().tags().isEmpty();
  }
}
