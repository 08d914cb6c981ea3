package roll.strategy.zero3;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import roll.api.config.WorkerConfig;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.option.RawOptions;
import roll.parallel.ParallelOptions;
import roll.parallel.shard.Offload;
import roll.parallel.shard.ParallelLayout;
import roll.parallel.world.NodeOptions;

/**
 * The keys of {@code strategy_config}: those of a DeepSpeed file, of which {@code
 * zero_optimization} is supported, and those of FSDP2 in ROLL.
 */
final class ZeroOptions implements ParallelOptions {
  private static final String AUTO = "auto";

  /** Top-level keys without effect, with the setting that decides instead. */
  private static final Map<String, String> IDLE =
      Map.ofEntries(
          Map.entry("train_batch_size", "training_args decide"),
          Map.entry("train_micro_batch_size_per_gpu", "per_device_train_batch_size decides"),
          Map.entry("gradient_accumulation_steps", "training_args decide"),
          Map.entry("gradient_clipping", "max_grad_norm decides"),
          Map.entry("bf16", "model_args.dtype decides"),
          Map.entry("fp16", "model_args.dtype decides"),
          Map.entry("param_dtype", "model_args.dtype decides"),
          Map.entry("reduce_dtype", "gradients are f32"),
          Map.entry("fsdp_size", "device_mapping decides"),
          Map.entry("zero_allow_untested_optimizer", "the optimizer is AdamW"),
          Map.entry("checkpoint", "a checkpoint is a Hugging Face folder"),
          Map.entry("reduce_scatter_during_grad_accumulation", "the stage decides"),
          Map.entry("async_save_ckpt", "async_save_ckpt of the run decides"),
          Map.entry("save_only_model", "a checkpoint has the whole training state"),
          Map.entry("wrap_policy", "layers are gathered one by one"),
          Map.entry("apply_expert_patch", "there is one implementation of experts"),
          Map.entry("moe_use_grouped_mm", "the tokens of an expert are multiplied together"),
          Map.entry("ep_size", "experts are sharded as the other layers are"),
          Map.entry("efsdp_size", "experts are sharded as the other layers are"),
          Map.entry("apply_tiled_mlp", "there is one implementation of a layer"),
          Map.entry("tiled_num_shards", "there is one implementation of a layer"),
          Map.entry("use_batched_model_update", "weights are shared, not sent"),
          Map.entry("steps_per_print", "logging_steps decides"),
          Map.entry("wall_clock_breakdown", "times are in the metrics"));

  /**
   * Keys of {@code zero_optimization} for implementation details, which are accepted without
   * effect.
   */
  private static final Set<String> HOW =
      Set.of(
          "overlap_comm",
          "contiguous_gradients",
          "reduce_scatter",
          "reduce_bucket_size",
          "allgather_partitions",
          "allgather_bucket_size",
          "round_robin_gradients",
          "sub_group_size",
          "stage3_max_live_parameters",
          "stage3_max_reuse_distance",
          "stage3_gather_16bit_weights_on_model_save",
          "stage3_gather_fp16_weights_on_model_save",
          "ignore_unused_parameters");

  private static final Option<Integer> STAGE = Option.integer("stage", 0, 3, "ZeRO stage");
  private static final Option<RawOptions> OFFLOAD_OPTIMIZER =
      Option.nested("offload_optimizer", "offloading of moments");
  private static final Option<RawOptions> OFFLOAD_PARAM =
      Option.nested("offload_param", "offloading of parameters");
  private static final Option<Double> PERSISTENCE =
      Option.number(
          "stage3_param_persistence_threshold",
          0,
          Long.MAX_VALUE,
          "maximum size of parameters that stay on every rank; or auto");
  private static final Option<Double> PREFETCH =
      Option.number(
          "stage3_prefetch_bucket_size", 0, Double.MAX_VALUE, "0 for no prefetching; or auto");
  private static final List<Option<?>> ZERO_KNOWN =
      List.of(STAGE, OFFLOAD_OPTIMIZER, OFFLOAD_PARAM, PERSISTENCE, PREFETCH);

  private static final String NOWHERE = "none";
  private static final Option<String> OFFLOAD_DEVICE =
      Option.choice("device", List.of(NOWHERE, "cpu", "nvme"), "none, cpu or nvme")
          .withDefault(NOWHERE);
  private static final Option<String> OFFLOAD_FOLDER =
      Option.text("nvme_path", "folder of the files");
  private static final Option<Boolean> PIN_MEMORY =
      Option.flag("pin_memory", "does nothing").withDefault(false);
  private static final List<Option<?>> OFFLOAD_KNOWN =
      List.of(OFFLOAD_DEVICE, OFFLOAD_FOLDER, PIN_MEMORY);

  private static final Option<RawOptions> ZERO =
      Option.nested(
          "zero_optimization",
          Stream.of(PERSISTENCE, PREFETCH, OFFLOAD_OPTIMIZER, OFFLOAD_PARAM)
              .map(Option::name)
              .collect(Collectors.joining(", ", "stage 0 to 3, ", "")));
  private static final Option<Boolean> RESHARD =
      Option.flag(
              "reshard_after_forward",
              "FSDP2's: shard parameters too (stage 3); false keeps them whole (stage 2)")
          .withDefault(true);
  private static final Option<Boolean> OFFLOAD_POLICY =
      Option.flag("offload_policy", "FSDP2's: offload optimizer and parameters to files")
          .withDefault(false);
  private static final List<Option<?>> KNOWN =
      Stream.concat(Stream.<Option<?>>of(ZERO, RESHARD, OFFLOAD_POLICY), NodeOptions.KNOWN.stream())
          .toList();

  private final WorkerConfig worker;
  private final String where;
  private final List<String> notices = new ArrayList<>();

  ZeroOptions(WorkerConfig worker) {
    this.worker = worker;
    this.where = worker.strategyOptions().where();
  }

  /** Returns the declarations of the options in {@code strategy_config}. */
  static List<Option<?>> known() {
    return KNOWN;
  }

  @Override
  public List<String> notices() {
    return notices;
  }

  @Override
  public ParallelLayout layout() {
    RawOptions given = worker.strategyOptions();
    given
        .values()
        .forEach(
            (key, value) -> {
              if (IDLE.containsKey(key) && value instanceof Number) {
                notices.add(where + "." + key + " has no effect here: " + IDLE.get(key));
              }
            });
    Options options = given.without(IDLE.keySet()).checked(KNOWN);
    Options zero = zero(options.get(ZERO));
    int stage = zero.find(STAGE).orElse(options.get(RESHARD) ? 3 : 2);
    Offload moments = offload(zero.get(OFFLOAD_OPTIMIZER));
    Offload parameters = offload(zero.get(OFFLOAD_PARAM));
    boolean policy = options.get(OFFLOAD_POLICY);
    if (stage < 3 && parameters.parameters()) {
      notices.add(
          "%s.%s.%s has no effect here: only stage 3 shards parameters, this is stage %d"
              .formatted(where, ZERO.name(), OFFLOAD_PARAM.name(), stage));
    }
    boolean keeps = !worker.model().checkpointing();
    if (stage == 3 && keeps) {
      notices.add(
          worker.role()
              + ".model_args.disable_gradient_checkpointing: stage 3 always runs layers again, for"
              + " their parameters are gone");
    }
    return new ParallelLayout(
        Math.max(1, worker.devices().size()),
        1,
        1,
        stage,
        false,
        keeps && stage < 3 ? ParallelLayout.Recompute.NONE : ParallelLayout.Recompute.FULL,
        zero.find(PERSISTENCE).map(Double::longValue).orElse(ParallelLayout.PERSISTENCE),
        zero.find(PREFETCH).map(size -> size > 0).orElse(true),
        new Offload(
            moments.optimizer() || policy,
            stage == 3 && (parameters.parameters() || policy),
            moments.folder() == null ? parameters.folder() : moments.folder()));
  }

  /** Returns the supported keys of {@code zero_optimization}; {@code auto} counts as absent. */
  private static Options zero(RawOptions given) {
    List<String> automatic =
        Stream.of(PERSISTENCE, PREFETCH)
            .map(Option::name)
            .filter(name -> AUTO.equals(given.values().get(name)))
            .toList();
    return given.without(HOW).without(automatic).checked(ZERO_KNOWN);
  }

  /** Reads the options of offloading. */
  private static Offload offload(RawOptions given) {
    Options options = given.checked(OFFLOAD_KNOWN);
    boolean away = !options.get(OFFLOAD_DEVICE).equals(NOWHERE);
    return new Offload(away, away, options.find(OFFLOAD_FOLDER).map(Path::of).orElse(null));
  }
}
