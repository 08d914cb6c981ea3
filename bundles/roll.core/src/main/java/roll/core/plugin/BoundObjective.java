package roll.core.plugin;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import roll.api.option.Options;
import roll.api.plugin.Lease;
import roll.api.plugin.Plugins;
import roll.api.preference.PreferenceBatch;
import roll.api.preference.PreferenceInfo.Need;
import roll.api.preference.PreferenceObjective;
import roll.api.preference.PreferenceResult;
import roll.runtime.config.PreferenceConfig;
import roll.runtime.option.YamlOptions;

/**
 * The objective that a configuration names, leased for each call: a newer one is used from the next
 * step on.
 */
public record BoundObjective(Plugins plugins, PreferenceConfig config) {
  /**
   * Checks the options, with a batch without answers.
   *
   * @throws roll.api.option.UserException if the objective is missing or an option is wrong
   */
  public void check() {
    var unused =
        evaluate(
            new PreferenceBatch(
                new double[0], new double[0], new int[0], new boolean[0], List.of(), 0));
  }

  /** Returns the needs of the objective. */
  public Set<Need> needs() {
    try (Lease<PreferenceObjective> lease = lease()) {
      return Set.copyOf(guard(lease).call("info", () -> lease.service().info().needs()));
    }
  }

  /** Evaluates the objective; its failures end the step with a one-line message. */
  public PreferenceResult evaluate(PreferenceBatch batch) {
    try (Lease<PreferenceObjective> lease = lease()) {
      PluginGuard guard = guard(lease);
      PreferenceObjective objective = lease.service();
      PreferenceResult given =
          guard.call(
              "evaluate",
              () -> {
                PreferenceResult result = objective.evaluate(batch, options(objective));
                return new PreferenceResult(
                    result.loss(),
                    result.gradient(),
                    result.rewards(),
                    new LinkedHashMap<>(result.metrics())); // a plugin's map may itself throw
              });
      guard.requireLength("evaluate", "derivatives", given.gradient(), batch.answers());
      guard.requireLength("evaluate", "rewards", given.rewards(), batch.answers());
      return given;
    }
  }

  private Options options(PreferenceObjective objective) {
    return YamlOptions.checked(
        "preference.objective_args", config.args(), objective.info().options());
  }

  private Lease<PreferenceObjective> lease() {
    return new PluginRequirement<>(config.named(), PreferenceObjective.class).lease(plugins);
  }

  private PluginGuard guard(Lease<PreferenceObjective> lease) {
    return PluginGuard.of("preference.objective", config.objective(), lease.bundle());
  }
}
