package roll.config.build;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import roll.api.config.ModelConfig;
import roll.api.config.SequencePacking;
import roll.api.config.TokenBudgets;
import roll.api.config.TrainingConfig;
import roll.api.config.WorkerConfig;
import roll.api.config.WorkerConfig.Dtype;
import roll.config.schema.Section;
import roll.runtime.option.YamlOptions;

/** Builds the typed configuration of a role. */
final class WorkerBuilder {
  private static final String KWARGS = "chat_template_kwargs";
  private static final String SCALE = "scale_logits_by_temperature";

  /** Names of the roles whose log-probs are compared with each other. */
  private static final Set<String> POLICIES = Set.of("actor_train", "actor_infer", "reference");

  private final Section run;
  private final int totalUpdates;

  /** For the roles of {@code run}, whose policy has {@code totalUpdates} optimizer steps. */
  WorkerBuilder(Section run, int totalUpdates) {
    this.run = run;
    this.totalUpdates = totalUpdates;
  }

  /** Builds the role {@code role}; roles that are not trained have the settings of actor_train. */
  WorkerConfig build(String role) {
    return build(role, run.section(role));
  }

  /** Builds the configuration of the role {@code role} from the section {@code worker}. */
  WorkerConfig build(String role, Section worker) {
    TrainingConfig training =
        role.equals("critic") ? critic(worker) : training(run.section("actor_train"), totalUpdates);
    Section strategy = worker.section("strategy_args");
    return new WorkerConfig(
        role,
        POLICIES.contains(role) || role.startsWith(Teachers.KEY + ".")
            ? policy(worker)
            : model(worker),
        worker.section("data_args").text("template"),
        strategy.text("strategy_name"),
        YamlOptions.strategy(role, strategy.mapping("strategy_config")),
        training,
        worker.has("device_mapping") ? worker.integers("device_mapping") : List.of(),
        worker.integer("infer_batch_size"),
        budgets(worker, training),
        kwargs(worker.section("data_args")));
  }

  private ModelConfig policy(Section worker) {
    return model(worker)
        .withTemperature(temperature())
        .withBatchInvariant(run.flag("batch_invariant"));
  }

  /** Returns the divisor of the logits of policies before log-probs are computed. */
  private double temperature() {
    if (!run.flag(SCALE)) {
      return 1;
    }
    Section generating = run.section("train_env_manager").section("generating_args");
    double temperature = new SamplingBuilder(generating).sampling().temperature();
    if (temperature == 0) {
      throw run.wrong(SCALE, "false where training samples at temperature 0");
    }
    return temperature;
  }

  private static Map<String, Object> kwargs(Section data) {
    Map<String, Object> kwargs = data.mapping(KWARGS);
    boolean own = data.text("template").equals("native");
    boolean usual = kwargs.isEmpty() || kwargs.equals(WorkerConfig.CHAT_TEMPLATE_KWARGS);
    if (!own && !usual) { // a run's own config.yaml has the default written out
      throw data.wrong(KWARGS, "none where template is " + data.text("template"));
    }
    return kwargs;
  }

  /**
   * Returns the token budgets; packed samples always have one: the maximum size of a padded
   * micro-batch.
   */
  private TokenBudgets budgets(Section worker, TrainingConfig training) {
    int train = budget(worker, "train");
    int infer = budget(worker, "infer");
    boolean sharing = worker.flag("sequence_sharing");
    if (!worker.flag("use_sequence_packing")) {
      return new TokenBudgets(train, infer, null, sharing);
    }
    Section packing = worker.section("sequence_packing_args");
    return new TokenBudgets(
        packed(packing, "train", train, training.microBatch()),
        packed(packing, "forward", infer, worker.integer("infer_batch_size")),
        new SequencePacking(
            packing.text("algorithm").equals("load_balance"),
            packing.integer("min_num_micro_batches_train"),
            packing.integer("min_num_micro_batches_forward")),
        sharing);
  }

  private int packed(Section packing, String work, int budget, int samples) {
    String key = "max_packed_sequence_length_" + work;
    if (packing.has(key)) {
      return packing.integer(key);
    }
    long padded = (long) samples * run.integer("sequence_length");
    return budget > 0 ? budget : (int) Math.min(padded, Integer.MAX_VALUE);
  }

  private static int budget(Section worker, String work) {
    if (!worker.flag("use_dynamic_batching_in_" + work)) {
      return 0;
    }
    String key = "max_tokens_per_microbatch_in_" + work;
    if (worker.integer(key) == 0) {
      throw worker.wrong(
          key, "a number of tokens where use_dynamic_batching_in_" + work + " is true");
    }
    return worker.integer(key);
  }

  private ModelConfig model(Section worker) {
    Section model = worker.section("model_args");
    return new ModelConfig(
        Path.of(model.has("model_name_or_path") ? model.text("model_name_or_path") : ""),
        model.text("dtype").equals("bf16") ? Dtype.BF16 : Dtype.FP32,
        model.names("freeze_module_prefix"),
        !model.flag("disable_gradient_checkpointing"),
        worker.flag("logits_in_fp32"),
        new AdapterBuilder(model).lora(),
        model.has("adapter_name_or_path") ? Path.of(model.text("adapter_name_or_path")) : null,
        run.flag("random_weights"),
        1,
        false);
  }

  /** Returns the critic's training settings with one pass over each rollout. */
  private TrainingConfig critic(Section worker) {
    Section training = worker.section("training_args");
    long effective =
        Math.multiplyExact(
            (long) training.integer("per_device_train_batch_size")
                * training.integer("gradient_accumulation_steps"),
            DataParallelSize.of(worker));
    long updates =
        Math.ceilDiv((long) run.integer("rollout_batch_size"), effective)
            * run.integer("max_steps");
    return training(worker, Math.toIntExact(Math.min(updates, Integer.MAX_VALUE)));
  }

  private static TrainingConfig training(Section worker, int totalUpdates) {
    Section training = worker.section("training_args");
    int steps = training.integer("warmup_steps");
    double ratio = steps > 0 ? 0 : training.number("warmup_ratio");
    int warmup = steps > 0 ? steps : (int) Math.ceil(ratio * totalUpdates);
    SchedulerBuilder scheduler = new SchedulerBuilder(training);
    return new TrainingConfig(
        training.number("learning_rate"),
        training.number("weight_decay"),
        training.number("adam_beta1"),
        training.number("adam_beta2"),
        training.integer("per_device_train_batch_size"),
        training.integer("gradient_accumulation_steps"),
        DataParallelSize.of(worker),
        scheduler.name(),
        warmup,
        totalUpdates,
        scheduler.build(warmup, totalUpdates, ratio),
        OptimizerNames.of(training));
  }
}
