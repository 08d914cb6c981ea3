package roll.config.build;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import roll.api.dataset.DataSetReader;
import roll.api.device.DeviceInspector;
import roll.api.option.UserException;
import roll.config.schema.Section;

/** Derives the defaults that depend on other keys of the configuration. */
public final class DependentDefaults {
  /** No path, and nothing that would break a line of a log or turn it around. */
  private static final Pattern FOLDER =
      Pattern.compile(
          "(?!\\.{1,2}$)(?!\\s*$)[^/\\\\\\p{Cntrl}\\u0085\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]+");

  private final Section run;
  private final @Nullable DataSetReader dataSets;
  private final @Nullable DeviceInspector inspector;
  private final List<String> notices;

  /**
   * For {@code run}, which is changed; notices are added to {@code notices}.
   *
   * @param dataSets counts rows, or null
   * @param inspector knows which devices are cards, or null
   */
  public DependentDefaults(
      Section run,
      @Nullable DataSetReader dataSets,
      @Nullable DeviceInspector inspector,
      List<String> notices) {
    this.inspector = inspector;
    this.run = run;
    this.dataSets = dataSets;
    this.notices = notices;
  }

  /**
   * Derives all dependent defaults.
   *
   * @param file name of the configuration file, empty without one; the experiment is named after it
   *     unless it has a name
   * @param plays whether there are environments to play in
   */
  public void settle(String file, boolean plays) {
    if (!run.has("exp_name")) {
      run.settle("exp_name", file.isEmpty() ? "run" : file.replaceFirst("\\.ya?ml$", ""));
    }
    if (!FOLDER.matcher(run.text("exp_name")).matches()) {
      throw run.wrong("exp_name", "the name of a folder");
    }
    run.settle("eval_steps", Math.max(0, run.integer("eval_steps")));
    run.settle("save_steps", Math.max(0, run.integer("save_steps")));
    if (!run.has("val_before_train")) {
      run.settle("val_before_train", run.integer("eval_steps") > 0);
    }
    DeviceLayoutCheck.settleNodes(run, notices);
    sequenceLength();
    TrackerBuilder.settle(run);
    for (String role : List.of("actor_train", "actor_infer", "reference", "critic")) {
      role(role, run.section(role));
    }
    run.sections("reward_models").forEach(this::rewardModel);
    run.sections(Teachers.KEY).forEach((name, own) -> role(Teachers.KEY + "." + name, own));
    reference();
    new Teachers(run).checkDistributions();
    critic();
    determinism();
    run.sections("custom_envs").forEach(DependentDefaults::environment);
    EnvManagerDefaults managers = new EnvManagerDefaults(run, this::idle);
    if (plays) {
      new DatasetSizes(run, dataSets, notices).settle();
      managers.settle();
      new Teachers(run).settle(this::unread);
    }
    managers.settleSampling();
  }

  /** Removes reference and teachers if neither a KL term nor an estimator reads them. */
  private void reference() {
    if (run.has("distill")) {
      return;
    }
    if (!run.flag("use_kl_loss")
        && !run.flag("add_token_level_kl")
        && !run.flag("enable_reference")) {
      String reason = "use_kl_loss, add_token_level_kl and enable_reference are false";
      unread("reference", reason);
      unread(Teachers.KEY, reason);
      run.settle("reference", null);
      run.settle(Teachers.KEY, Map.of());
    }
  }

  /** The estimator gae needs a critic (ROLL, verl); estimators of a plugin may require one. */
  private void critic() {
    Section critic = run.section("critic");
    boolean needed = run.text("adv_estimator").equals("gae");
    if (!critic.has("enable")) {
      critic.settle("enable", needed);
    }
    if (critic.flag("enable")) {
      return;
    }
    if (needed) {
      throw critic.wrong("enable", "true with adv_estimator gae");
    }
    notices.removeIf(notice -> notice.startsWith("key 'critic."));
    if (run.integer("critic_warmup") == 0) {
      run.settle("critic_warmup", null);
    }
    for (String key : List.of("critic", "reward_pretrain", "value_clip", "critic_warmup")) {
      if (run.given(key) && run.has(key)) {
        idle(key, "adv_estimator " + run.text("adv_estimator") + " needs no critic");
      }
      run.settle(key, null);
    }
  }

  /** Applies the training argument {@code full_determinism} of a role to the whole run. */
  private void determinism() {
    for (String role : List.of("actor_train", "critic")) {
      if (run.has(role)) {
        Section training = run.section(role).section("training_args");
        if (training.has("full_determinism") && training.flag("full_determinism")) {
          run.settle("full_determinism", true);
        }
      }
    }
  }

  private void sequenceLength() {
    if (run.has("sequence_length")) {
      for (String key : List.of("prompt_length", "response_length")) {
        if (run.given(key)) {
          idle(key, "sequence_length is given");
        }
      }
    } else if (run.has("response_length")) {
      run.settle("sequence_length", run.integer("prompt_length") + run.integer("response_length"));
    } else {
      throw new UserException(
          run.where("sequence_length") + " is missing: give sequence_length or response_length");
    }
    run.settle("prompt_length", null);
    run.settle("response_length", null);
  }

  private void rewardModel(String name, Section model) {
    role("reward_models." + name, model);
    if (!model.has("sequence_length")) {
      model.settle("sequence_length", run.integer("sequence_length"));
    }
    if (ScoringModel.is(model)) {
      ScoringModel.settle(model, this::idle);
    } else {
      new SamplingBuilder(model.section("generating_args"))
          .settle(model.integer("sequence_length"));
    }
  }

  private void role(String role, Section worker) {
    boolean trained = role.equals("actor_train") || role.equals("critic");
    Section strategy = worker.section("strategy_args");
    if (!strategy.has("strategy_name")) {
      strategy.settle("strategy_name", trained ? "local_train" : "hf_infer");
    }
    List<Integer> devices =
        DeviceMapping.devices(worker.where("device_mapping"), worker.value("device_mapping"));
    worker.settle("device_mapping", devices.isEmpty() ? null : devices);
    Section model = worker.section("model_args");
    if (!model.given("dtype") && onCards(devices)) {
      model.settle("dtype", "bf16");
    }
    if (!role.equals("critic")) {
      new AdapterBuilder(worker.section("model_args")).settle(role, this::idle);
    }
    if (!trained && worker.section("model_args").given("freeze_module_prefix")) {
      idle(role + ".model_args.freeze_module_prefix", "this role is not trained");
    }
  }

  /**
   * Whether the devices are GPUs, which are several times faster in 16 bits; the CPU's default is
   * f32.
   */
  private boolean onCards(List<Integer> devices) {
    if (inspector == null || devices.isEmpty()) {
      return false;
    }
    int nodes = run.has("num_nodes") ? run.integer("num_nodes") : 1;
    int count = run.has("num_gpus_per_node") ? nodes * run.integer("num_gpus_per_node") : 0;
    return inspector.devices(count).stream()
        .anyMatch(device -> device.kind().equals("cuda") && devices.contains(device.number()));
  }

  private static void environment(String tag, Section environment) {
    if (!FOLDER.matcher(tag).matches()) { // files are named after it
      throw new UserException("custom_envs: '" + tag + "' is no name of a file");
    }
    Object limit = environment.mapping("env_config").get("max_steps");
    if (!environment.has("max_steps")) {
      if (!(limit instanceof Integer turns) || turns < 1) {
        throw new UserException(environment.whereMissing("max_steps") + " is missing");
      }
      environment.settle("max_steps", turns);
    }
    environment.settle("env_manager_cls", EnvManagerNames.id(environment));
  }

  /** Replaces the notices on a section, if it is given, by one. */
  private void unread(String key, String reason) {
    if (run.given(key)) {
      notices.removeIf(notice -> notice.startsWith("key '" + key + "."));
      idle(key, reason);
    }
  }

  private void idle(String key, String reason) {
    notices.add("key '" + key + "' has no effect here: " + reason);
  }
}
