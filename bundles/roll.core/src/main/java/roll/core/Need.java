package roll.core;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import roll.api.agent.AgentType;
import roll.api.config.AgentConfig;
import roll.api.config.EnvConfig;
import roll.api.config.EnvManagerConfig;
import roll.api.config.RewardConfig;
import roll.api.config.RolloutMockConfig;
import roll.api.config.RunConfig;
import roll.api.env.Environment;
import roll.api.estimator.AdvantageEstimator;
import roll.api.loss.PolicyLoss;
import roll.api.plugin.Lease;
import roll.api.plugin.Plugins;
import roll.api.reward.RewardFunction;
import roll.api.rollout.Agent;
import roll.api.rollout.EnvManager;
import roll.api.rollout.GroupFilter;
import roll.api.strategy.InferStrategy;
import roll.api.strategy.TrainStrategy;
import roll.api.tool.Tool;
import roll.api.tracking.Tracker;
import roll.api.worker.WorkerRole;

/**
 * A plugin that a configuration names.
 *
 * @param where the key that names it
 * @param type contract of the service
 * @param kind namespace of its name
 * @param name as the configuration has it
 */
record Need(String where, Class<?> type, String kind, String name) {
  /**
   * Everything that {@code run} names, and what those of it that are among {@code plugins} work
   * with, in the order in which what is missing is told.
   */
  static List<Need> of(RunConfig run, Plugins plugins) {
    List<Need> needs = new ArrayList<>();
    needs.add(estimator(run));
    needs.add(loss(run));
    needs.addAll(trackers(run));
    Roles.of(run)
        .forEach(
            (role, worker) -> {
              needs.add(new Need("roles", WorkerRole.class, "roll.worker", Roles.service(role)));
              Class<?> type =
                  Roles.TRAINED.contains(role) ? TrainStrategy.class : InferStrategy.class;
              String where = worker.role() + ".strategy_args.strategy_name";
              needs.add(new Need(where, type, "roll.strategy", worker.strategy()));
            });
    needs.addAll(rollouts(run, plugins));
    return needs;
  }

  /** The advantage estimator. */
  static Need estimator(RunConfig run) {
    return new Need(
        "adv_estimator", AdvantageEstimator.class, "roll.estimator", run.algorithm().estimator());
  }

  /** The policy loss. */
  static Need loss(RunConfig run) {
    return new Need(
        "actor_train.pg_variant", PolicyLoss.class, "roll.loss", run.algorithm().loss().loss());
  }

  /** The trackers. */
  static List<Need> trackers(RunConfig run) {
    return run.trackers().stream()
        .map(id -> new Need("track_with", Tracker.class, "roll.tracker", id))
        .toList();
  }

  /** What episodes are played with; nothing where they are read from files. */
  static List<Need> rollouts(RunConfig run, Plugins plugins) {
    RolloutMockConfig mock = run.rolloutMock();
    if (mock != null && mock.mode() == RolloutMockConfig.Mode.MOCK) {
      return List.of();
    }
    Set<Need> needs = new LinkedHashSet<>();
    Uses uses = new Uses(plugins);
    for (EnvConfig env : run.customEnvs().values()) {
      if (run.trainEnvs().tags().contains(env.tag()) || run.valEnvs().tags().contains(env.tag())) {
        String where = "custom_envs." + env.tag();
        needs.add(new Need(where + ".env_type", Environment.class, "roll.env", env.envType()));
        needs.add(
            new Need(
                where + ".env_manager_cls", EnvManager.class, "roll.env.manager", env.manager()));
        AgentConfig agent = env.agent();
        if (agent != null) {
          tools(agent, where + ".agent", needs);
          uses.tools(where + ".agent", agent, needs);
        }
        for (RewardConfig reward : env.rewards()) {
          needs.add(
              new Need(where + ".rewards", RewardFunction.class, "roll.reward", reward.reward()));
          uses.reward(where + ".rewards", reward, needs);
        }
      }
    }
    played(run.trainEnvs(), "train_env_manager", needs);
    played(run.valEnvs(), "val_env_manager", needs);
    return List.copyOf(needs);
  }

  private static void tools(AgentConfig agent, String where, Set<Need> needs) {
    needs.add(new Need(where + ".agent_type", AgentType.class, "roll.agent.type", agent.type()));
    agent
        .tools()
        .keySet()
        .forEach(tool -> needs.add(new Need(where + ".tools", Tool.class, "roll.tool", tool)));
  }

  private static void played(EnvManagerConfig envs, String where, Set<Need> needs) {
    if (!envs.groupFilter().equals("none")) {
      needs.add(
          new Need(
              where + ".group_filter_cls",
              GroupFilter.class,
              "roll.group.filter",
              envs.groupFilter()));
    }
    if (!envs.proxy().isPolicy()) {
      needs.add(
          new Need(
              where + ".llm_proxy.proxy_type", Agent.class, "roll.agent", envs.proxy().type()));
    }
  }

  /** Makes sure that it is there, else the {@link roll.api.config.UserException} that says so. */
  void require(Plugins plugins) {
    plugins.require(where, type, kind, name).close();
  }

  /** Whether it is not there. */
  boolean missing(Plugins plugins) {
    return !plugins.names(type, kind).contains(name);
  }

  /** A lease of it. */
  Lease<?> lease(Plugins plugins) {
    return plugins.require(where, type, kind, name);
  }

  /** What is said while a run waits for it. */
  String notice() {
    return "no service " + kind + "=" + name + ": waiting until a bundle provides it";
  }
}
