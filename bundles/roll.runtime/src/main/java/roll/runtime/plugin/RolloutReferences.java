package roll.runtime.plugin;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import roll.api.config.AgentConfig;
import roll.api.config.EnvConfig;
import roll.api.config.RewardConfig;
import roll.api.option.UserException;
import roll.runtime.config.CurriculumConfig;
import roll.runtime.config.EnvManagerConfig;
import roll.runtime.config.NamedPlugin;
import roll.runtime.config.RunConfig;

/**
 * References of a configuration to environments, agents, tools, rewards and other plugins of the
 * rollout.
 */
final class RolloutReferences {
  private RolloutReferences() {}

  static List<ConfigReference> curriculum(RunConfig run) {
    CurriculumConfig curriculum = run.rollout().curriculum();
    if (curriculum == null) {
      return List.of();
    }
    return List.of(
        new ConfigReference(
            new NamedPlugin("curriculum.type", "roll.curriculum", curriculum.type()),
            "curriculum",
            curriculum.options(),
            (to, kept) -> {
              Map<String, Object> all = new LinkedHashMap<>(kept);
              all.put("type", to);
              return Map.of("curriculum", all);
            }));
  }

  static List<ConfigReference> environments(RunConfig run) {
    return each(
        run,
        (where, env) ->
            Stream.of(
                ConfigReference.of(
                    new NamedPlugin(where + ".env_type", "roll.env", env.envType()),
                    where + ".env_config",
                    env.options())));
  }

  static List<ConfigReference> managers(RunConfig run) {
    return each(
        run,
        (where, env) ->
            Stream.of(
                ConfigReference.of(
                    new NamedPlugin(
                        where + ".env_manager_cls", "roll.env.manager", env.manager()))));
  }

  static List<ConfigReference> agentTypes(RunConfig run) {
    return agents(
        run,
        (where, agent) ->
            Stream.of(
                ConfigReference.of(
                    new NamedPlugin(where + ".agent_type", "roll.agent.type", agent.type()))));
  }

  static List<ConfigReference> tools(RunConfig run) {
    return agents(
        run,
        (where, agent) -> agent.tools().keySet().stream().map(name -> tool(where, agent, name)));
  }

  private static ConfigReference tool(String where, AgentConfig agent, String name) {
    return new ConfigReference(
        new NamedPlugin(where + ".tools", "roll.tool", name),
        where + ".tool_config." + name,
        agent.tools().getOrDefault(name, Map.of()),
        (to, kept) -> {
          if (agent.tools().containsKey(to) && !to.equals(name)) {
            throw new UserException("swap: " + where + ".tools has '" + to + "' already");
          }
          Map<String, Map<String, Object>> tools = new LinkedHashMap<>();
          agent
              .tools()
              .forEach(
                  (tool, options) ->
                      tools.put(tool.equals(name) ? to : tool, tool.equals(name) ? kept : options));
          Map<String, Object> overrides = new LinkedHashMap<>();
          overrides.put(where + ".tools", List.copyOf(tools.keySet()));
          tools.values().removeIf(Map::isEmpty);
          overrides.put(where + ".tool_config", tools);
          return overrides;
        });
  }

  static List<ConfigReference> rewards(RunConfig run) {
    return each(
        run,
        (where, env) ->
            env.rewards().stream().map(reward -> reward(where + ".rewards", env, reward)));
  }

  private static ConfigReference reward(String where, EnvConfig env, RewardConfig reward) {
    return new ConfigReference(
        new NamedPlugin(where, "roll.reward", reward.reward()),
        where + "." + reward.reward(),
        reward.options(),
        (to, kept) -> {
          Map<String, Object> all = new LinkedHashMap<>();
          for (RewardConfig other : env.rewards()) {
            boolean replaced = other.equals(reward);
            Map<String, Object> entry = new LinkedHashMap<>(replaced ? kept : other.options());
            entry.put("weight", other.weight());
            all.put(replaced ? to : other.reward(), entry);
          }
          return Map.of(where, all);
        });
  }

  static List<ConfigReference> players(RunConfig run) {
    return played(
        run,
        (where, envs) ->
            envs.proxy().isPolicy()
                ? Stream.of()
                : Stream.of(
                    ConfigReference.of(
                        new NamedPlugin(
                            where + ".llm_proxy.proxy_type", "roll.agent", envs.proxy().type()),
                        where + ".llm_proxy.proxy_config",
                        envs.proxy().options())));
  }

  static List<ConfigReference> filters(RunConfig run) {
    return played(
        run,
        (where, envs) ->
            envs.groupFilter().equals("none")
                ? Stream.of()
                : Stream.of(
                    ConfigReference.of(
                        new NamedPlugin(
                            where + ".group_filter_cls",
                            "roll.group.filter",
                            envs.groupFilter()))));
  }

  private static List<ConfigReference> each(
      RunConfig run, BiFunction<String, EnvConfig, Stream<ConfigReference>> places) {
    return run.rollout().playedEnvs().stream()
        .flatMap(env -> places.apply("custom_envs." + env.tag(), env))
        .toList();
  }

  private static List<ConfigReference> agents(
      RunConfig run, BiFunction<String, AgentConfig, Stream<ConfigReference>> places) {
    return each(
        run,
        (where, env) ->
            env.agent() == null ? Stream.of() : places.apply(where + ".agent", env.agent()));
  }

  private static List<ConfigReference> played(
      RunConfig run, BiFunction<String, EnvManagerConfig, Stream<ConfigReference>> places) {
    return Stream.concat(
            places.apply("train_env_manager", run.rollout().trainEnvs()),
            places.apply("val_env_manager", run.rollout().valEnvs()))
        .toList();
  }
}
