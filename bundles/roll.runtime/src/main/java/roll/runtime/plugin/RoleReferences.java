package roll.runtime.plugin;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import roll.api.config.WorkerConfig;
import roll.api.option.RawOptions;
import roll.runtime.config.NamedPlugin;
import roll.runtime.config.RoleConfig;
import roll.runtime.config.RunConfig;

/** The worker of a role and the strategies of its model. */
public final class RoleReferences {
  private static final Set<String> TRAINED = Set.of("actor_train", "critic");

  private RoleReferences() {}

  /**
   * Returns the reference to the worker of {@code role}. The worker of a stock role is named by the
   * role, not by a key.
   */
  public static ConfigReference worker(RunConfig run, String role) {
    RoleConfig own = run.extensions().role(role);
    if (own != null) {
      return ConfigReference.of(
          new NamedPlugin(role + ".worker", "roll.worker", own.worker()),
          role + ".worker_config",
          own.options());
    }
    return new ConfigReference(
        new NamedPlugin("roles", "roll.worker", run.roles().worker(role)), "", Map.of(), null);
  }

  /** Returns the reference to the strategy of the model of {@code worker}. */
  public static ConfigReference strategy(WorkerConfig worker) {
    String where = worker.role() + ".strategy_args.";
    return ConfigReference.of(
        new NamedPlugin(where + "strategy_name", "roll.strategy", worker.strategy()),
        where + "strategy_config",
        present(worker.strategyOptions()));
  }

  /** Returns the options that have a value; the others have their defaults. */
  private static Map<String, Object> present(RawOptions options) {
    Map<String, Object> present = new LinkedHashMap<>();
    options
        .values()
        .forEach(
            (name, value) -> {
              if (value != null) {
                present.put(name, value);
              }
            });
    return present;
  }

  static List<ConfigReference> workers(RunConfig run) {
    Stream<String> own = run.extensions().roles().stream().map(RoleConfig::role);
    return Stream.concat(
            run.roles().byName().keySet().stream(), Stream.concat(Stream.of("environment"), own))
        .map(role -> worker(run, role))
        .toList();
  }

  static List<ConfigReference> trained(RunConfig run) {
    return strategies(run, true);
  }

  static List<ConfigReference> sampled(RunConfig run) {
    return strategies(run, false);
  }

  private static List<ConfigReference> strategies(RunConfig run, boolean trained) {
    return run.roles().byName().values().stream()
        .filter(worker -> TRAINED.contains(worker.role()) == trained)
        .map(RoleReferences::strategy)
        .toList();
  }
}
