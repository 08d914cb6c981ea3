package roll.runtime.config;

import java.util.ArrayList;
import java.util.List;
import roll.api.config.AgentConfig;
import roll.api.config.EnvConfig;
import roll.api.config.RewardConfig;
import roll.api.config.WorkerConfig;

/**
 * The plugins that a configuration names, each with the key that names it. What those work with in
 * their turn, such as the grader of a reward, they say themselves.
 */
public final class NamedPlugins {
  private static final String REWARD_MODELS = "reward_models.";

  private NamedPlugins() {}

  /** The advantage estimator. */
  public static Named estimator(RunConfig run) {
    return new Named("adv_estimator", "roll.estimator", run.algorithm().estimator());
  }

  /** The policy loss. */
  public static Named loss(RunConfig run) {
    return new Named("actor_train.pg_variant", "roll.loss", run.algorithm().loss().loss());
  }

  /** The trackers, in the order given. */
  public static List<Named> trackers(RunConfig run) {
    return run.trackers().stream().map(id -> new Named("track_with", "roll.tracker", id)).toList();
  }

  /** Who does the work of {@code role}: no key of its own names it, the role does. */
  public static Named worker(String role) {
    String service = role.startsWith(REWARD_MODELS) ? "reward_model" : role;
    return new Named("roles", "roll.worker", service);
  }

  /** The strategy that {@code worker} runs its model with. */
  public static Named strategy(WorkerConfig worker) {
    String where = worker.role() + ".strategy_args.strategy_name";
    return new Named(where, "roll.strategy", worker.strategy());
  }

  /** What the environments that {@code run} plays are made of. */
  public static List<Named> environments(RunConfig run) {
    List<Named> named = new ArrayList<>();
    for (EnvConfig env : run.playedEnvs()) {
      String where = "custom_envs." + env.tag();
      named.add(new Named(where + ".env_type", "roll.env", env.envType()));
      named.add(new Named(where + ".env_manager_cls", "roll.env.manager", env.manager()));
      AgentConfig agent = env.agent();
      if (agent != null) {
        named.add(new Named(where + ".agent.agent_type", "roll.agent.type", agent.type()));
        for (String tool : agent.tools().keySet()) {
          named.add(new Named(where + ".agent.tools", "roll.tool", tool));
        }
      }
      for (RewardConfig reward : env.rewards()) {
        named.add(new Named(where + ".rewards", "roll.reward", reward.reward()));
      }
    }
    return List.copyOf(named);
  }

  /** Who plays in place of the policy, and which groups are kept. */
  public static List<Named> players(RunConfig run) {
    List<Named> named = new ArrayList<>();
    players("train_env_manager", run.trainEnvs(), named);
    players("val_env_manager", run.valEnvs(), named);
    return List.copyOf(named);
  }

  private static void players(String where, EnvManagerConfig envs, List<Named> named) {
    if (!envs.proxy().isPolicy()) {
      named.add(new Named(where + ".llm_proxy.proxy_type", "roll.agent", envs.proxy().type()));
    }
    if (!envs.groupFilter().equals("none")) {
      named.add(new Named(where + ".group_filter_cls", "roll.group.filter", envs.groupFilter()));
    }
  }
}
