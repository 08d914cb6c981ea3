package roll.assemble;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import roll.api.config.AgentConfig;
import roll.api.config.CriticConfig;
import roll.api.config.EnvConfig;
import roll.api.config.EnvManagerConfig;
import roll.api.config.LoadedConfig;
import roll.api.config.RunConfig;
import roll.api.config.WorkerConfig;

/** What a training configuration asks a distribution for, each with the key that asks. */
final class Needs {
  private final Set<Need> needs = new LinkedHashSet<>();

  private Needs() {}

  /** Everything {@code config} names, in the order of a step. */
  static List<Need> of(LoadedConfig config) {
    RunConfig run = config.run();
    Needs all = new Needs();
    if (!config.onlySft()) {
      all.training(run);
    }
    roles(config).forEach(all::role);
    run.trackers().forEach(id -> all.add("roll.tracker", id, "track_with"));
    if (config.sft() != null) {
      all.needs.add(new Need("osgi.identity", "roll.dataset", "sft.train_files"));
    }
    return List.copyOf(all.needs);
  }

  private void training(RunConfig run) {
    manager("train_env_manager", run.trainEnvs());
    manager("val_env_manager", run.valEnvs());
    for (EnvConfig env : run.customEnvs().values()) {
      if (run.trainEnvs().tags().contains(env.tag()) || run.valEnvs().tags().contains(env.tag())) {
        String where = "custom_envs." + env.tag();
        add("roll.env", env.envType(), where + ".env_type");
        add("roll.env.manager", env.manager(), where + ".env_manager_cls");
        env.rewards().forEach(reward -> add("roll.reward", reward.reward(), where + ".rewards"));
        AgentConfig agent = env.agent();
        if (agent != null) {
          add("roll.agent.type", agent.type(), where + ".agent.agent_type");
          agent.tools().keySet().forEach(tool -> add("roll.tool", tool, where + ".agent.tools"));
        }
      }
    }
    add("roll.estimator", run.algorithm().estimator(), "adv_estimator");
    add("roll.loss", run.algorithm().loss().loss(), "actor_train.pg_variant");
    needs.add(new Need("roll.worker", "environment", "rollouts"));
  }

  /** The roles that have a model, by name. */
  static Map<String, WorkerConfig> roles(LoadedConfig config) {
    RunConfig run = config.run();
    Map<String, WorkerConfig> roles = new LinkedHashMap<>();
    roles.put("actor_train", run.actorTrain());
    if (config.onlySft()) {
      return roles;
    }
    roles.put("actor_infer", run.actorInfer());
    WorkerConfig reference = run.reference();
    if (reference != null && !run.referenceIsActor()) {
      roles.put("reference", reference);
    }
    CriticConfig critic = run.critic();
    if (critic != null) {
      roles.put("critic", critic.worker());
    }
    run.rewardModels().values().forEach(model -> roles.put(model.worker().role(), model.worker()));
    return roles;
  }

  /** The further bundles a user asks for. */
  static List<Need> bundles(List<String> names) {
    List<Need> needs = new ArrayList<>();
    names.forEach(name -> needs.add(new Need("osgi.identity", name, "--with " + name)));
    return needs;
  }

  private void manager(String where, EnvManagerConfig manager) {
    if (!manager.proxy().isPolicy()) {
      add("roll.agent", manager.proxy().type(), where + ".llm_proxy.proxy_type");
    }
    if (!manager.groupFilter().equals("none")) {
      add("roll.group.filter", manager.groupFilter(), where + ".group_filter_cls");
    }
  }

  private void role(String role, WorkerConfig worker) {
    String service = role.startsWith("reward_models.") ? "reward_model" : role;
    needs.add(new Need("roll.worker", service, role));
    add("roll.strategy", worker.strategy(), role + ".strategy_args.strategy_name");
    String family = ModelFolder.family(worker.model().folder());
    String model = role + ": model_type of " + worker.model().folder().getFileName();
    needs.add(new Need("roll.model", family, model + "/config.json: " + family));
    if (worker.template().equals("native")) {
      add("osgi.identity", "roll.template", role + ".data_args.template", "native");
    }
  }

  private void add(String namespace, String name, String key) {
    add(namespace, name, key, name);
  }

  private void add(String namespace, String name, String key, String value) {
    needs.add(new Need(namespace, name, key + ": " + value));
  }
}
