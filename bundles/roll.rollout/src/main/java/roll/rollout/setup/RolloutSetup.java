package roll.rollout.setup;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.agent.AgentTools;
import roll.api.agent.AgentType;
import roll.api.config.AgentConfig;
import roll.api.config.AgentRunnerConfig;
import roll.api.config.EnvConfig;
import roll.api.config.RewardConfig;
import roll.api.env.Environment;
import roll.api.env.Scenario;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.option.UserException;
import roll.api.plugin.Lease;
import roll.api.plugin.Plugins;
import roll.api.reward.Reward;
import roll.api.reward.RewardFunction;
import roll.api.rollout.Agent;
import roll.api.rollout.EnvManager;
import roll.api.rollout.GroupFilter;
import roll.api.rollout.Player;
import roll.api.tool.Tool;
import roll.api.tool.ToolSchema;
import roll.api.tool.ToolSet;
import roll.rollout.supervise.EpisodeTools;
import roll.runtime.config.EnvManagerConfig;
import roll.runtime.config.ProxyConfig;
import roll.runtime.option.YamlOptions;
import roll.runtime.worker.EnvironmentPlacement;
import roll.runtime.worker.EnvironmentPlacement.PlacedEnvironment;
import roll.runtime.worker.InferencePlacement;
import roll.text.Suggestion;

/** The plugins of a rollout, configured and leased until closed. */
public final class RolloutSetup implements AutoCloseable {
  private final Plugins plugins;
  private final PromptLengthFilter lengthFilter;
  private final PromptLengthFilter.Measure measure;
  private final List<Lease<?>> leases = new ArrayList<>();
  private final List<AutoCloseable> closed = new ArrayList<>();
  private final Map<String, EnvSetup> environments = new LinkedHashMap<>();
  private @Nullable GroupFilter filter;
  private @Nullable Player player;

  private RolloutSetup(
      Plugins plugins, PromptLengthFilter lengthFilter, PromptLengthFilter.Measure measure) {
    this.plugins = plugins;
    this.lengthFilter = lengthFilter;
    this.measure = measure;
  }

  /**
   * Leases and configures the plugins of {@code envs}.
   *
   * @param lengthFilter filters out episodes whose prompts, measured by {@code measure}, are too
   *     long
   * @throws UserException naming what is missing or wrong, and what is allowed
   */
  public static RolloutSetup of(
      Plugins plugins,
      EnvManagerConfig envs,
      Map<String, EnvConfig> customEnvs,
      PromptLengthFilter lengthFilter,
      PromptLengthFilter.Measure measure) {
    RolloutSetup setup = new RolloutSetup(plugins, lengthFilter, measure);
    try {
      for (String tag : envs.tags()) {
        EnvConfig config = customEnvs.get(tag);
        if (config == null) {
          throw new UserException(
              "tags: '"
                  + tag
                  + "' is not in custom_envs (allowed: "
                  + String.join(", ", customEnvs.keySet())
                  + ")"
                  + Suggestion.near(tag, customEnvs.keySet()));
        }
        setup.environments.put(tag, setup.env(config));
      }
      if (!envs.groupFilter().equals("none")) {
        setup.filter =
            setup
                .lease(
                    "group_filter_cls", GroupFilter.class, "roll.group.filter", envs.groupFilter())
                .service();
      }
      setup.player = setup.player(envs.proxy());
      return setup;
    } catch (Throwable e) {
      setup.close();
      throw e;
    }
  }

  private EnvSetup env(EnvConfig config) {
    String where = "custom_envs." + config.tag();
    EnvManager manager =
        lease(where + ".env_manager_cls", EnvManager.class, "roll.env.manager", config.manager())
            .service();
    manager.check(config);
    Lease<Environment> world =
        lease(where + ".env_type", Environment.class, "roll.env", config.envType());
    List<Option<?>> known = world.service().options();
    Options options = YamlOptions.checked(where + ".env_config", config.options(), known);
    List<WeightedReward> rewards =
        config.rewards().stream().map(reward -> weighted(where, reward)).toList();
    Scenario whole = world.service().configure(options);
    closed.add(whole);
    AgentRunnerConfig runner = config.runner();
    boolean harness = runner != null && runner.harness();
    AgentTools agent =
        harness && config.agent() == null
            ? null // it works with tools of its own
            : agent(where + ".agent", config.agent(), whole.tools());
    Scenario fitted = lengthFilter.fit(world.service(), config, whole, agent, measure);
    // filtering needs a tokenizer, which other nodes may lack; tools and harnesses run here
    boolean here = fitted != whole || !whole.tools().isEmpty() || harness;
    Scenario scenario = here ? fitted : placed(config, world.bundle(), whole);
    return new EnvSetup(config, scenario, manager, rewards, agent, world.bundle());
  }

  /** Returns a scenario whose episodes run on other nodes, if a service places them. */
  private Scenario placed(EnvConfig config, String bundle, Scenario local) {
    Lease<EnvironmentPlacement> placement =
        plugins.lease(
            EnvironmentPlacement.class, InferencePlacement.KIND, EnvironmentPlacement.NAME);
    if (placement == null) {
      return local;
    }
    leases.add(placement);
    return placement
        .service()
        .place(
            new PlacedEnvironment(
                "custom_envs." + config.tag() + ".env_config",
                config.envType(),
                bundle,
                new LinkedHashMap<>(config.options())),
            local);
  }

  private WeightedReward weighted(String where, RewardConfig config) {
    String key = where + ".rewards";
    RewardFunction function =
        lease(key, RewardFunction.class, "roll.reward", config.reward()).service();
    Options options =
        YamlOptions.checked(key + "." + config.reward(), config.options(), function.options());
    Reward reward = function.configure(options);
    closed.add(reward);
    return new WeightedReward(
        config.reward(), config.weight(), reward, function.answerKey(options));
  }

  /**
   * Returns the agent's tools, or null without an agent.
   *
   * @param own tools of the environment
   */
  private @Nullable AgentTools agent(
      String where, @Nullable AgentConfig config, List<ToolSchema> own) {
    if (config != null) {
      return kit(where, config, own);
    }
    if (!own.isEmpty()) {
      throw new UserException(
          where + " is missing: without it nothing calls the environment's tools (allowed: {})");
    }
    return null;
  }

  private AgentTools kit(String where, AgentConfig config, List<ToolSchema> own) {
    AgentType type =
        lease(where + ".agent_type", AgentType.class, "roll.agent.type", config.type()).service();
    List<ToolSet> sets = new ArrayList<>();
    Map<String, String> owners = new HashMap<>();
    if (!own.isEmpty()) {
      sets.add(new EpisodeTools(own));
      own.forEach(schema -> owners.put(schema.name(), "the environment"));
    }
    config
        .tools()
        .forEach(
            (name, given) -> {
              Tool tool = lease(where + ".tools", Tool.class, "roll.tool", name).service();
              String options = where + ".tool_config." + name;
              ToolSet set = tool.configure(YamlOptions.checked(options, given, tool.options()));
              closed.add(set);
              sets.add(set);
              for (ToolSchema schema : set.tools()) {
                String other = owners.putIfAbsent(schema.name(), name);
                if (other != null) {
                  throw new UserException(
                      where
                          + ".tools: "
                          + other
                          + " and "
                          + name
                          + " both have a tool called '"
                          + schema.name()
                          + "'");
                }
              }
            });
    AgentConfig limits = own.isEmpty() ? config : inOrder(config);
    return new AgentTools(limits, type, List.copyOf(sets));
  }

  /** Returns {@code config} with sequential calls, since an episode is used by one at a time. */
  private static AgentConfig inOrder(AgentConfig config) {
    return new AgentConfig(
        config.type(),
        config.tools(),
        config.maxCalls(),
        config.maxParallelCalls(),
        false,
        config.callTimeout(),
        config.maxResultLength(),
        config.truncateSide());
  }

  /** Returns the agent in place of the policy, or null. */
  private @Nullable Player player(ProxyConfig proxy) {
    if (proxy.isPolicy()) {
      return null;
    }
    Lease<Agent> lease =
        plugins.require(
            "llm_proxy.proxy_type",
            Agent.class,
            "roll.agent",
            proxy.type(),
            ProxyConfig.POLICY.type());
    leases.add(lease);
    List<Option<?>> known = lease.service().options();
    Player player =
        lease
            .service()
            .configure(YamlOptions.checked("llm_proxy.proxy_config", proxy.options(), known));
    closed.add(player);
    return player;
  }

  private <T> Lease<T> lease(String where, Class<T> type, String kind, String name) {
    Lease<T> lease = plugins.require(where, type, kind, name);
    leases.add(lease);
    return lease;
  }

  /** Returns the setup of each tag. */
  public Map<String, EnvSetup> environments() {
    return environments;
  }

  /** Returns the group filter, or null. */
  public @Nullable GroupFilter filter() {
    return filter;
  }

  /** Returns the agent in place of the policy, or null. */
  public @Nullable Player player() {
    return player;
  }

  /** Closes the plugins and the leases. */
  @Override
  public void close() {
    RuntimeException failure = null;
    for (AutoCloseable plugin : closed.reversed()) {
      try {
        plugin.close();
      } catch (Exception e) { // the others must still be closed
        failure = new IllegalStateException(plugin.getClass().getName() + " failed to close", e);
      }
    }
    leases.forEach(Lease::close);
    if (failure != null) {
      throw failure;
    }
  }
}
