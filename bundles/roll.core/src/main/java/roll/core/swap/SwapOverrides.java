package roll.core.swap;

import com.google.gson.Gson;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import roll.api.agent.AgentType;
import roll.api.config.AgentConfig;
import roll.api.config.EnvConfig;
import roll.api.config.RewardConfig;
import roll.api.env.Environment;
import roll.api.estimator.AdvantageEstimator;
import roll.api.loss.PolicyLoss;
import roll.api.option.Option;
import roll.api.option.Suggestion;
import roll.api.option.UserException;
import roll.api.plugin.Lease;
import roll.api.plugin.Plugins;
import roll.api.reward.RewardFunction;
import roll.api.rollout.EnvManager;
import roll.api.strategy.InferStrategy;
import roll.api.strategy.TrainStrategy;
import roll.api.tool.Tool;
import roll.api.tracking.Tracker;
import roll.core.Roles;
import roll.runtime.config.RunConfig;
import roll.runtime.option.YamlOptions;

/** The configuration overrides by which one plugin takes the place of another. */
final class SwapOverrides {
  private static final List<String> KINDS =
      List.of(
          "environment",
          "manager",
          "estimator",
          "loss",
          "reward",
          "tracker",
          "strategy",
          "tool",
          "agent");

  private final RunConfig run;
  private final Plugins plugins;
  private final String from;
  private final String to;
  private final List<String> overrides = new ArrayList<>();
  private final List<String> notices = new ArrayList<>();
  private final Set<String> used = new TreeSet<>();

  private SwapOverrides(RunConfig run, Plugins plugins, String from, String to) {
    this.run = run;
    this.plugins = plugins;
    this.from = from;
    this.to = to;
  }

  /**
   * What changes in {@code run}.
   *
   * @param kind with or without {@code roll.} before it
   * @throws UserException if there is no such kind, {@code run} does not use {@code from}, or
   *     {@code to} is not registered
   */
  static SwapOverrides of(RunConfig run, Plugins plugins, String kind, String from, String to) {
    SwapOverrides swap = new SwapOverrides(run, plugins, from, to);
    String plain = kind.replaceFirst("^roll\\.", "");
    switch (plain) {
      case "environment", "env" -> swap.environments();
      case "manager", "env.manager" -> swap.managers();
      case "estimator" -> swap.estimator();
      case "loss" -> swap.loss();
      case "reward" -> swap.rewards();
      case "tracker" -> swap.tracker();
      case "strategy" -> swap.strategies();
      case "tool" -> swap.tools();
      case "agent", "agent.type" -> swap.agents();
      default ->
          throw new UserException(
              "swap: no kind '"
                  + kind
                  + "' (allowed: "
                  + String.join(", ", KINDS)
                  + ")"
                  + Suggestion.near(plain, KINDS));
    }
    if (swap.overrides.isEmpty()) {
      throw new UserException(
          "swap: the run uses no "
              + plain
              + " '"
              + from
              + "' (it uses: "
              + (swap.used.isEmpty() ? "none" : String.join(", ", swap.used))
              + ")"
              + Suggestion.near(from, swap.used));
    }
    return swap;
  }

  /** As {@code key.path=value}. */
  List<String> overrides() {
    return List.copyOf(overrides);
  }

  /** A line for each option that is left out. */
  List<String> notices() {
    return List.copyOf(notices);
  }

  private void environments() {
    for (EnvConfig env : run.customEnvs().values()) {
      if (uses(env.envType())) {
        String where = "custom_envs." + env.tag();
        set(where + ".env_type", to);
        try (Lease<Environment> lease =
            plugins.require(where + ".env_type", Environment.class, "roll.env", to)) {
          options(where + ".env_config", env.options(), lease.service().options());
        }
      }
    }
  }

  private void managers() {
    for (EnvConfig env : run.customEnvs().values()) {
      if (uses(env.manager())) {
        String where = "custom_envs." + env.tag() + ".env_manager_cls";
        plugins.require(where, EnvManager.class, "roll.env.manager", to).close();
        set(where, to);
      }
    }
  }

  private void estimator() {
    if (uses(run.algorithm().estimator())) {
      set("adv_estimator", to);
      try (Lease<AdvantageEstimator> lease =
          plugins.require("adv_estimator", AdvantageEstimator.class, "roll.estimator", to)) {
        List<Option<?>> known = lease.service().info().options();
        options("adv_estimator_args", run.algorithm().estimatorArgs(), known);
      }
    }
  }

  private void loss() {
    if (uses(run.algorithm().loss().loss())) {
      String where = "actor_train.pg_variant";
      set(where, to);
      try (Lease<PolicyLoss> lease = plugins.require(where, PolicyLoss.class, "roll.loss", to)) {
        List<Option<?>> known = lease.service().info().options();
        options(where + "_args", run.algorithm().loss().args(), known);
      }
    }
  }

  private void rewards() {
    for (EnvConfig env : run.customEnvs().values()) {
      String where = "custom_envs." + env.tag() + ".rewards";
      Map<String, Object> all = new LinkedHashMap<>();
      boolean found = false;
      for (RewardConfig reward : env.rewards()) {
        Map<String, @Nullable Object> entry = new LinkedHashMap<>(reward.options());
        if (uses(reward.reward())) {
          found = true;
          try (Lease<RewardFunction> lease =
              plugins.require(where, RewardFunction.class, "roll.reward", to)) {
            String options = where + "." + from;
            entry = known(options, reward.options(), lease.service().options());
          }
        }
        entry.put("weight", reward.weight());
        all.put(reward.reward().equals(from) ? to : reward.reward(), entry);
      }
      if (found) {
        set(where, json(all));
      }
    }
  }

  private void tracker() {
    List<String> trackers = new ArrayList<>(run.trackers());
    used.addAll(trackers);
    if (trackers.contains(from)) {
      plugins.require("track_with", Tracker.class, "roll.tracker", to).close();
      trackers.replaceAll(id -> id.equals(from) ? to : id);
      Map<String, Object> options = new LinkedHashMap<>(run.trackerOptions());
      if (options.remove(from) != null) {
        notices.add("tracker_kwargs." + from + ": left out");
      }
      set("track_with", json(new LinkedHashSet<>(trackers)));
      set("tracker_kwargs", json(options));
    }
  }

  private void strategies() {
    run.roles()
        .forEach(
            (role, worker) -> {
              if (uses(worker.strategy())) {
                String where = role + ".strategy_args.";
                set(where + "strategy_name", to);
                List<Option<?>> known =
                    Roles.TRAINED.contains(role)
                        ? known(where, TrainStrategy.class)
                        : known(where, InferStrategy.class);
                options(where + "strategy_config", worker.strategyOptions().values(), known);
              }
            });
  }

  private List<Option<?>> known(String where, Class<?> type) {
    try (Lease<?> lease = plugins.require(where + "strategy_name", type, "roll.strategy", to)) {
      return lease.service() instanceof TrainStrategy train
          ? train.options()
          : ((InferStrategy) lease.service()).options();
    }
  }

  private void tools() {
    for (EnvConfig env : run.customEnvs().values()) {
      AgentConfig agent = env.agent();
      if (agent == null) {
        continue;
      }
      String where = "custom_envs." + env.tag() + ".agent";
      Set<String> names = agent.tools().keySet();
      used.addAll(names);
      if (names.contains(from)) {
        if (names.contains(to) && !to.equals(from)) {
          throw new UserException("swap: " + where + ".tools has '" + to + "' already");
        }
        tools(where, agent);
      }
    }
  }

  private void tools(String where, AgentConfig agent) {
    Map<String, Map<String, @Nullable Object>> tools = new LinkedHashMap<>();
    agent
        .tools()
        .forEach(
            (name, options) ->
                tools.put(name.equals(from) ? to : name, new LinkedHashMap<>(options)));
    try (Lease<Tool> lease = plugins.require(where + ".tools", Tool.class, "roll.tool", to)) {
      Map<String, Object> given = agent.tools().getOrDefault(from, Map.of());
      tools.put(to, known(where + ".tool_config." + from, given, lease.service().options()));
    }
    set(where + ".tools", json(tools.keySet()));
    tools.values().removeIf(Map::isEmpty);
    set(where + ".tool_config", json(tools));
  }

  private void agents() {
    for (EnvConfig env : run.customEnvs().values()) {
      AgentConfig agent = env.agent();
      if (agent != null && uses(agent.type())) {
        String where = "custom_envs." + env.tag() + ".agent.agent_type";
        plugins.require(where, AgentType.class, "roll.agent.type", to).close();
        set(where, to);
      }
    }
  }

  /** {@code value} as an override has it: nothing in it is taken for an interpolation. */
  static String json(Object value) {
    return new Gson().toJson(value).replace("${", "\\\\${");
  }

  private boolean uses(String name) {
    used.add(name);
    return name.equals(from);
  }

  private void set(String key, String value) {
    overrides.add(key + "=" + value);
  }

  /** Leaves only those of {@code given} at {@code key} that are {@code known}. */
  private void options(
      String key, Map<String, ? extends @Nullable Object> given, List<Option<?>> known) {
    Map<String, @Nullable Object> kept = known(key, given, known);
    if (kept.size() < given.size()) {
      set(key, json(kept));
    }
  }

  private Map<String, @Nullable Object> known(
      String key, Map<String, ? extends @Nullable Object> given, List<Option<?>> known) {
    Map<String, @Nullable Object> kept = new LinkedHashMap<>(given);
    kept.keySet().retainAll(YamlOptions.names(known));
    Set<String> left = new LinkedHashSet<>(given.keySet());
    left.removeAll(kept.keySet());
    left.forEach(
        name -> notices.add(key + "." + name + ": left out, " + to + " has no such option"));
    return kept;
  }
}
