package roll.config.verl;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import roll.config.dialect.TranslatedKeys;
import roll.config.tree.YamlTree;

/** Models, devices and strategies of verl's workers. */
final class VerlRoles {
  private static final String REF = "actor_rollout_ref.ref.";
  private static final String MODEL = "actor_rollout_ref.model.";
  private static final String ACTOR = "actor_rollout_ref.actor.";
  private static final String ROLLOUT = "actor_rollout_ref.rollout.";
  private static final String FSDP = ACTOR + "fsdp_config.";
  private static final String STRATEGY = ACTOR + "strategy";
  private static final String ENGINE = "model_engine";
  private static final String CRITIC_FSDP = "critic.fsdp.";
  private static final String MEGATRON = ACTOR + "megatron.";
  private static final String NODES = "trainer.nnodes";
  private static final String EACH = "trainer.n_gpus_per_node";
  private static final String CONFIG = ".strategy_args.strategy_config.";
  private static final String NAME = ".strategy_args.strategy_name";
  private static final Map<String, String> ENGINES = Map.of("hf", "hf_infer", "trtllm", "vllm");
  private static final List<String> IDLE =
      List.of("max_position_embeddings", "attn_implementation");
  private static final String CHECKPOINTING = "enable_gradient_checkpointing";

  private final VerlOptions options;
  private final TranslatedKeys ours;

  /** Creates the translation of {@code options}. */
  VerlRoles(VerlOptions options, TranslatedKeys ours) {
    this.options = options;
    this.ours = ours;
  }

  /** Number of devices of verl's workers, without those of rollouts alone. */
  int devices() {
    return options.integer(NODES) * options.integer(EACH);
  }

  /** Number of replicas of the trained model. */
  int replicas() {
    int each =
        megatron()
            ? options.integer(MEGATRON + "tensor_model_parallel_size")
                * options.integer(MEGATRON + "pipeline_model_parallel_size")
            : 1;
    return Math.max(1, devices() / each);
  }

  /** Whether the strategy is megatron, as named by the options or implied by the engine. */
  private boolean megatron() {
    return options.text(options.given(STRATEGY) ? STRATEGY : ENGINE).equals("megatron");
  }

  /** Writes the translated keys of verl's roles. */
  void put() {
    if (VerlAsync.is(options)) {
      new VerlAsync(options, ours).layout(devices());
    } else {
      ours.put("num_gpus_per_node", options.integer(EACH), EACH);
      ours.put("num_nodes", options.integer(NODES), NODES);
      ours.put("actor_infer.device_mapping", all(), EACH, NODES);
    }
    boolean critic = options.critic(ours);
    boolean reference =
        options.flag(ACTOR + "use_kl_loss")
            || options.flag("algorithm.use_kl_in_reward")
            || options.flag(VerlDistillation.ENABLED);
    for (String role : List.of("actor_train", "reference", "critic")) {
      if ((critic || !role.equals("critic")) && (reference || !role.equals("reference"))) {
        ours.put(role + ".device_mapping", all(), EACH, NODES);
      }
    }
    model();
    trained("actor_train");
    if (critic) {
      trained("critic");
    }
    sampled();
    if (reference && options.has(REF + "model.path")) {
      ours.copy("reference.model_args.model_name_or_path", REF + "model.path");
    }
    if (reference) {
      byTokens(
          REF + "log_prob_use_dynamic_bsz",
          REF + "log_prob_max_token_len_per_gpu",
          "reference",
          "infer");
    }
    byTokens(
        ACTOR + "use_dynamic_bsz", ACTOR + "ppo_max_token_len_per_gpu", "actor_train", "train");
    byTokens(
        ROLLOUT + "log_prob_use_dynamic_bsz",
        ROLLOUT + "log_prob_max_token_len_per_gpu",
        "actor_train",
        "infer");
    if (critic) {
      byTokens("critic.use_dynamic_bsz", "critic.ppo_max_token_len_per_gpu", "critic", "train");
    }
  }

  private String all() {
    return "list(range(0," + devices() + "))";
  }

  /** Writes the translated keys of the only role of supervised training. */
  void putSupervised() {
    ours.put("num_gpus_per_node", options.integer(EACH), EACH);
    ours.put("num_nodes", options.integer(NODES), NODES);
    ours.put("actor_train.device_mapping", all(), EACH, NODES);
    model();
    trained("actor_train");
  }

  private void model() {
    overridden();
    String path = MODEL + "path";
    String agents = "agent.init_args.model_name_or_path";
    if (!options.given(path) && options.given(agents)) {
      ours.copy("pretrain", agents);
    } else if (options.given(agents) && !options.text(agents).equals(options.text(path))) {
      options.notice(
          "key '%s' has no effect here: the model is that of %s"
              .formatted(options.written(agents), path));
    }
    if (options.given("agent.init_args.template")) {
      String template = options.text("agent.init_args.template");
      ours.put(
          "actor_infer.data_args.template",
          template.equals("chatml") ? template : "native",
          "agent.init_args.template");
    }
    if (options.integer(MODEL + "lora_rank") > 0) {
      excluded();
      ours.copy("actor_train.model_args.lora_rank", MODEL + "lora_rank");
      ours.copy("actor_train.model_args.lora_alpha", MODEL + "lora_alpha");
      ours.copy("actor_train.model_args.lora_target", MODEL + "target_modules");
    } else if (options.flag(ACTOR + "freeze_vision_tower")) {
      ours.put(
          "actor_train.model_args.freeze_module_prefix", "visual", ACTOR + "freeze_vision_tower");
    }
  }

  /** Accepts keys over those of the folder's config.json only if they change no result. */
  private void overridden() {
    String path = MODEL + "override_config";
    Map<String, Object> given =
        new LinkedHashMap<>(YamlTree.withoutNulls(YamlTree.mapping(options.value(path))));
    given.putAll(YamlTree.withoutNulls(YamlTree.mapping(given.remove("model_config"))));
    given.forEach(
        (key, value) -> {
          boolean dropout = key.matches(".*(dropout|pdrop)") && YamlTree.same(value, 0);
          if (!dropout && !IDLE.contains(key)) {
            throw options.wrong(
                path, String.join(", ", IDLE) + ": the config is that of the model folder", key);
          }
          options.notice(
              "key '%s' in %s has no effect here: the config is that of the model folder"
                  .formatted(key, path));
        });
  }

  /** Accepts verl's excluded modules only if they have no adapters anyway. */
  private void excluded() {
    String path = MODEL + "exclude_modules";
    for (String name : options.texts(path)) {
      if (!name.contains("visual") && !name.contains("vision")) {
        throw options.wrong(
            path, "names of a vision tower: target_modules says what has adapters", name);
      }
    }
  }

  private void trained(String role) {
    boolean actor = role.equals("actor_train");
    String strategy =
        megatron() ? "megatron_train" : devices() == 1 ? "local_train" : "fsdp2_train";
    ours.put(role + NAME, strategy, STRATEGY, ENGINE);
    if (megatron()) {
      ours.copy(
          role + CONFIG + "tensor_model_parallel_size", MEGATRON + "tensor_model_parallel_size");
      ours.copy(
          role + CONFIG + "pipeline_model_parallel_size",
          MEGATRON + "pipeline_model_parallel_size");
      cut(role);
    } else {
      spread(role, actor ? FSDP : CRITIC_FSDP);
    }
    String checkpointing = actor ? MODEL + CHECKPOINTING : "critic.model." + CHECKPOINTING;
    boolean known = actor && devices() == 1;
    if (options.given(checkpointing) || known) {
      ours.put(
          role + ".model_args.disable_gradient_checkpointing",
          !options.flag(checkpointing),
          checkpointing);
    }
    String dtype = (actor ? FSDP : CRITIC_FSDP) + "model_dtype";
    ours.put(role + ".model_args.dtype", dtype(options.text(dtype)), dtype);
  }

  /** Copies further layout options of Megatron, if present. */
  private void cut(String role) {
    boolean tensor = options.integer(MEGATRON + "tensor_model_parallel_size") > 1;
    if (tensor && options.given(MEGATRON + "sequence_parallel")) {
      ours.copy(role + CONFIG + "sequence_parallel", MEGATRON + "sequence_parallel");
    }
    if (options.given(MEGATRON + "use_distributed_optimizer")) {
      ours.copy(
          role + CONFIG + "use_distributed_optimizer", MEGATRON + "use_distributed_optimizer");
    }
    String again = "recompute_granularity";
    if (options.given(MEGATRON + "override_transformer_config." + again)) {
      ours.copy(role + CONFIG + again, MEGATRON + "override_transformer_config." + again);
    }
  }

  /** Translates sharding; a single device holds the whole model without sharding and offloading. */
  private void spread(String role, String fsdp) {
    List<String> away =
        List.of(fsdp + "param_offload", fsdp + "optimizer_offload", fsdp + "offload_policy");
    boolean one = devices() == 1;
    if (away.stream().anyMatch(options::flag)) {
      if (one) {
        options.notice(
            "key '%s' has no effect here: on one device everything stays where it is"
                .formatted(away.stream().filter(options::flag).findFirst().orElseThrow()));
      } else {
        ours.put(role + CONFIG + "offload_policy", true, away.toArray(String[]::new));
      }
    }
    if (!one && options.given(fsdp + "reshard_after_forward")) {
      ours.copy(role + CONFIG + "reshard_after_forward", fsdp + "reshard_after_forward");
    }
  }

  private void sampled() {
    String engine = options.text(ROLLOUT + "name");
    String name = ENGINES.getOrDefault(engine, engine);
    ours.put("actor_infer" + NAME, name, ROLLOUT + "name");
    String dtype = options.given(ROLLOUT + "dtype") ? ROLLOUT + "dtype" : FSDP + "model_dtype";
    ours.put("actor_infer.model_args.dtype", dtype(options.text(dtype)), dtype);
    engine("tensor_model_parallel_size", "tensor_parallel_size");
    for (String same :
        List.of(
            "gpu_memory_utilization",
            "max_num_batched_tokens",
            "max_num_seqs",
            "max_model_len",
            "enable_prefix_caching")) {
      engine(same, same);
    }
    if (options.integer(ROLLOUT + "pipeline_model_parallel_size") > 1) {
      engine("pipeline_model_parallel_size", "pipeline_parallel_size");
    }
  }

  private void engine(String option, String key) {
    String path = ROLLOUT + option;
    if (!options.given(path)) {
      return;
    }
    if (options.text(ROLLOUT + "name").equals("hf")) {
      options.notice("key '" + path + "' has no effect here: it is of vllm and sglang");
    } else {
      ours.copy("actor_infer" + CONFIG + key, path);
    }
  }

  private void byTokens(String flag, String most, String role, String work) {
    if (options.flag(flag)) {
      ours.put(role + ".use_dynamic_batching_in_" + work, true, flag);
      ours.copy(role + ".max_tokens_per_microbatch_in_" + work, most);
    }
  }

  private static String dtype(String word) {
    return word.startsWith("bf") ? "bf16" : "fp32";
  }
}
