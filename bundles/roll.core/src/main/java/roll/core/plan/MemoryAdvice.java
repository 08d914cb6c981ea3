package roll.core.plan;

import java.util.Map;
import roll.api.config.WorkerConfig;
import roll.api.memory.MemoryKind;
import roll.core.Roles;

/**
 * The configuration key that would reduce the memory of a role.
 *
 * @param worker the role
 * @param training whether it is trained at the moment
 * @param alone whether the run has one device, so that nothing can be shared out
 */
record MemoryAdvice(WorkerConfig worker, boolean training, boolean alone) {
  private static final String ZERO = "zero_optimization";

  private static final String MORE = "device_mapping (more devices)";

  private static final String SMALLER = "model_args.model_name_or_path (a smaller model)";

  private static final String LORA =
      "model_args.lora_target (all-linear trains adapters alone), or name a smaller model";

  /** Returns the key that reduces the memory of {@code kind}. */
  String key(MemoryKind kind) {
    return worker.role() + "." + own(kind);
  }

  private String own(MemoryKind kind) {
    return switch (kind) {
      case KV_CACHE -> sampling();
      case ACTIVATIONS -> tokens();
      case GATHERED, PARAMETERS, GRADIENTS, OPTIMIZER, OFFLOADED, RESERVED ->
          Roles.TRAINED.contains(worker.role()) ? state(kind) : weights();
    };
  }

  private String sampling() {
    return worker.strategy().equals("hf_infer")
        ? "infer_batch_size"
        : option("gpu_memory_utilization");
  }

  private String tokens() {
    if (worker.budgets().packing() != null) {
      return "sequence_packing_args.max_packed_sequence_length_" + (training ? "train" : "forward");
    }
    if (training) {
      return worker.budgets().train() > 0
          ? "max_tokens_per_microbatch_in_train"
          : "training_args.per_device_train_batch_size";
    }
    return worker.budgets().infer() > 0 ? "max_tokens_per_microbatch_in_infer" : "infer_batch_size";
  }

  private String weights() {
    return worker.model().dtype() == WorkerConfig.Dtype.FP32 ? "model_args.dtype" : more();
  }

  private String more() {
    return alone ? SMALLER : MORE;
  }

  /** Returns the key for training state that stays on its device. */
  private String trained() {
    if (!alone) {
      return "strategy_args.strategy_name (deepspeed_train shares a model out among devices)";
    }
    boolean adapters = worker.model().lora() != null || worker.model().adapter() != null;
    return adapters || Roles.CRITIC.equals(worker.role()) ? SMALLER : LORA;
  }

  /** Returns the key for training state: first the state sharded among devices, then the rest. */
  private String state(MemoryKind kind) {
    if (worker.strategy().startsWith("megatron")) {
      return option("tensor_model_parallel_size");
    }
    if (!(worker.strategyOptions().values().get(ZERO) instanceof Map<?, ?> zero)) {
      return trained();
    }
    boolean sharded = zero.get("stage") instanceof Integer stage && stage == 3;
    if (!sharded) {
      return option(ZERO + ".stage");
    }
    if (kind == MemoryKind.PARAMETERS && !zero.containsKey("offload_param")) {
      return option(ZERO + ".offload_param");
    }
    return zero.containsKey("offload_optimizer") ? more() : option(ZERO + ".offload_optimizer");
  }

  private static String option(String key) {
    return "strategy_args.strategy_config." + key;
  }
}
