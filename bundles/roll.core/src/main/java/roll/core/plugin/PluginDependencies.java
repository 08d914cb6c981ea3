package roll.core.plugin;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import roll.api.config.AgentConfig;
import roll.api.config.EnvConfig;
import roll.api.config.RewardConfig;
import roll.api.env.Environment;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.option.UserException;
import roll.api.plugin.Lease;
import roll.api.plugin.PluginReference;
import roll.api.plugin.Plugins;
import roll.api.reward.RewardFunction;
import roll.api.sandbox.Sandbox;
import roll.api.tool.Tool;
import roll.api.workspace.WorkspaceProvider;
import roll.runtime.config.EnvManagerConfig;
import roll.runtime.config.NamedPlugin;
import roll.runtime.config.RewardModelConfig;
import roll.runtime.config.RunConfig;
import roll.runtime.option.YamlOptions;
import roll.sandbox.SandboxOptions;
import roll.text.Suggestion;

/** The plugins that environments, rewards and tools depend on, as they declare it. */
public final class PluginDependencies {
  private final Plugins plugins;

  /** Finds the plugins used by environments, rewards and tools. */
  public PluginDependencies(Plugins plugins) {
    this.plugins = plugins;
  }

  /** Returns the dependencies of the registered plugins of {@code run}, by environment. */
  List<PluginRequirement<?>> of(RunConfig run) {
    List<PluginRequirement<?>> requirements = new ArrayList<>();
    each(
        run,
        (use, options) ->
            requirements.add(
                new PluginRequirement<>(
                    new NamedPlugin(use.where(), use.kind(), use.name()), use.type())));
    return requirements;
  }

  /**
   * The distinct isolation lines of the sandboxes and workspaces used by {@code run}; missing
   * plugins are skipped.
   *
   * @throws UserException if the isolation is weaker than required
   */
  public Set<String> boundaries(RunConfig run) {
    Set<String> lines = new LinkedHashSet<>();
    each(
        run,
        (use, options) -> {
          if (use.type() == Sandbox.class && SandboxOptions.areIn(options)) {
            try (Lease<Sandbox> lease = plugins.lease(Sandbox.class, use.kind(), use.name())) {
              if (lease != null) {
                lines.add(SandboxOptions.boundaries(lease.service(), options));
              }
            }
          }
          if (use.type() == WorkspaceProvider.class && SandboxOptions.isolate(options)) {
            try (Lease<WorkspaceProvider> lease =
                plugins.lease(WorkspaceProvider.class, use.kind(), use.name())) {
              if (lease != null) {
                lines.add(SandboxOptions.boundaries(lease.service(), options));
              }
            }
          }
        });
    return lines;
  }

  private void each(RunConfig run, BiConsumer<PluginReference<?>, Options> visitor) {
    for (EnvConfig env : run.rollout().playedEnvs()) {
      String where = "custom_envs." + env.tag();
      environment(where, env, visitor);
      if (env.agent() != null) {
        tools(where + ".agent", env.agent(), visitor);
      }
      env.rewards().forEach(reward -> reward(where + ".rewards", reward, visitor));
    }
  }

  private void environment(
      String where, EnvConfig env, BiConsumer<PluginReference<?>, Options> visitor) {
    try (Lease<Environment> lease = plugins.lease(Environment.class, "roll.env", env.envType())) {
      if (lease != null) {
        Options options = options(where, env, lease.service());
        if (options != null) {
          lease.service().uses(options).forEach(use -> visitor.accept(use, options));
        }
      }
    }
  }

  /**
   * Returns the options; null if they are wrong, which is reported where the environment is opened.
   */
  private static @Nullable Options options(String where, EnvConfig env, Environment environment) {
    try {
      return YamlOptions.checked(where + ".env_config", env.options(), environment.options());
    } catch (UserException e) {
      return null;
    }
  }

  private void reward(
      String where, RewardConfig reward, BiConsumer<PluginReference<?>, Options> visitor) {
    try (Lease<RewardFunction> lease =
        plugins.lease(RewardFunction.class, "roll.reward", reward.reward())) {
      if (lease != null) {
        Options options = options(where, reward, lease.service());
        lease.service().uses(options).forEach(use -> visitor.accept(use, options));
      }
    }
  }

  private void tools(
      String where, AgentConfig agent, BiConsumer<PluginReference<?>, Options> visitor) {
    for (Map.Entry<String, Map<String, Object>> tool : agent.tools().entrySet()) {
      try (Lease<Tool> lease = plugins.lease(Tool.class, "roll.tool", tool.getKey())) {
        if (lease != null) {
          String place = where + ".tool_config." + tool.getKey();
          Options options = YamlOptions.checked(place, tool.getValue(), lease.service().options());
          lease.service().uses(options).forEach(use -> visitor.accept(use, options));
        }
      }
    }
  }

  private static Options options(String where, RewardConfig reward, RewardFunction function) {
    return YamlOptions.checked(where + "." + reward.reward(), reward.options(), function.options());
  }

  /**
   * Returns the models that rewards of {@code envs} query, by their keys in {@code reward_models}.
   *
   * @throws UserException for the first that is not there
   */
  public Set<String> models(RunConfig run, EnvManagerConfig envs) {
    Set<String> asked = new LinkedHashSet<>();
    for (EnvConfig env : run.rollout().customEnvs().values()) {
      if (envs.tags().contains(env.tag())) {
        env.rewards().forEach(reward -> models(run, "custom_envs." + env.tag(), reward, asked));
      }
    }
    return asked;
  }

  private void models(RunConfig run, String where, RewardConfig reward, Set<String> asked) {
    String place = where + ".rewards";
    try (Lease<RewardFunction> lease =
        plugins.require(place, RewardFunction.class, "roll.reward", reward.reward())) {
      Options options = options(place, reward, lease.service());
      for (Option<String> option : lease.service().models(options)) {
        asked.add(model(run, options, option, false));
      }
      for (Option<String> option : lease.service().scorers(options)) {
        asked.add(model(run, options, option, true));
      }
    }
  }

  /** Returns the model that {@code option} names, which must score by a head, or generate. */
  private static String model(
      RunConfig run, Options options, Option<String> option, boolean scores) {
    Map<String, RewardModelConfig> models = run.roles().rewardModels();
    String name = options.get(option);
    RewardModelConfig model = models.get(name);
    if (model == null) {
      throw new UserException(
          "%s.%s: no model '%s' in reward_models (allowed: %s)%s"
              .formatted(
                  options.where(),
                  option.name(),
                  name,
                  models.isEmpty() ? "none" : String.join(", ", models.keySet()),
                  Suggestion.near(name, models.keySet())));
    }
    if (model.scores() != scores) {
      throw new UserException(
          "%s.%s: reward_models.%s %s"
              .formatted(
                  options.where(),
                  option.name(),
                  name,
                  scores
                      ? "writes; give model_args.model_type: auto_sequence_classification there to"
                          + " score by its head"
                      : "scores by a head (model_args.model_type) and writes nothing"));
    }
    return name;
  }
}
