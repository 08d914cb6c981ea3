package roll.config.trl;

import java.util.List;
import java.util.Objects;
import roll.config.dialect.TranslatedKeys;

/** The model, its adapters and its devices, of TRL's ModelConfig and accelerate's launcher. */
final class TrlModel {
  private static final String ARGS = "actor_train.model_args.";
  private static final String STRATEGY = "actor_train.strategy_args.strategy_name";
  private static final String PROCESSES = "num_processes";

  private final TrlOptions options;
  private final TranslatedKeys ours;

  TrlModel(TrlOptions options, TranslatedKeys ours) {
    this.options = options;
    this.ours = ours;
  }

  /** Number of devices: accelerate's processes, or those of our keys. */
  static int devices(TrlOptions options, TranslatedKeys ours) {
    int nodes = ours.at("num_nodes") instanceof Integer n ? n : 1;
    return ours.at("num_gpus_per_node") instanceof Integer each
        ? Math.multiplyExact(nodes, each)
        : options.integer(PROCESSES);
  }

  /** Writes the keys of the model and of the devices. */
  void put() {
    devices();
    precision();
    adapters();
    ours.put(
        ARGS + "disable_gradient_checkpointing",
        !options.flag("gradient_checkpointing"),
        "gradient_checkpointing");
    if (options.given("env")) {
      ours.copy("system_envs", "env");
    }
  }

  private void devices() {
    int devices = devices(options, ours);
    String all = "list(range(0," + devices + "))";
    ours.put("num_gpus_per_node", devices, PROCESSES);
    for (String role :
        options.trainer().plays()
            ? List.of("actor_train", "actor_infer")
            : List.of("actor_train")) {
      ours.put(role + ".device_mapping", all, PROCESSES);
    }
    String config = options.has("accelerate_config") ? options.text("accelerate_config") : "";
    if (!config.matches("|single_gpu|multi_gpu|zero[123]|fsdp[12]")) {
      throw options.refused(
          "accelerate_config",
          config,
          "name TRL's single_gpu, multi_gpu, zero1, zero2, zero3, fsdp1 or fsdp2");
    }
    if (devices == 1) {
      ours.put(STRATEGY, "local_train");
      if (config.matches("zero.|fsdp.")) {
        options.idle("accelerate_config", "one device has the whole model");
      }
      return;
    }
    boolean fsdp = config.startsWith("fsdp");
    ours.put(STRATEGY, fsdp ? "fsdp2_train" : "deepspeed_train", "accelerate_config");
    if (!fsdp) {
      int stage = config.startsWith("zero") ? config.charAt(4) - '0' : 0;
      ours.put(
          "actor_train.strategy_args.strategy_config.zero_optimization.stage",
          stage,
          "accelerate_config");
    }
  }

  /** Sets the number format where one is named; by default it is that of the device. */
  private void precision() {
    String dtype = options.text("dtype");
    if (dtype.equals("float16")) {
      throw options.refused("dtype", dtype, "write bfloat16 or float32");
    }
    boolean half = dtype.equals("bfloat16") || options.flag("bf16");
    if (half || options.given("bf16")) {
      String format = half ? "bf16" : "fp32";
      ours.put(ARGS + "dtype", format, "bf16", "dtype");
      if (options.trainer().plays()) {
        ours.put("actor_infer.model_args.dtype", format, "bf16", "dtype");
      }
    }
  }

  private void adapters() {
    if (!options.flag("use_peft")) {
      for (String key : List.of("lora_r", "lora_alpha", "lora_dropout", "lora_target_modules")) {
        options.idle(key, "use_peft is false");
      }
      return;
    }
    String target = "lora_target_modules";
    ours.put(
        ARGS + "lora_target",
        Objects.requireNonNullElse(options.value(target), List.of("q_proj", "v_proj")),
        target,
        "use_peft");
    ours.copy(ARGS + "lora_rank", "lora_r");
    ours.copy(ARGS + "lora_alpha", "lora_alpha");
    ours.copy(ARGS + "lora_dropout", "lora_dropout");
  }
}
