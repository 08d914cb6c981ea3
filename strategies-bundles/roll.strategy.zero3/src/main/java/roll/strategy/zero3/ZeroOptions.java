package roll.strategy.zero3;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import roll.api.config.WorkerConfig;
import roll.api.option.OptionInfo;
import roll.api.option.Options;
import roll.torch.parallel.ParallelOptions;
import roll.torch.parallel.shard.Offload;
import roll.torch.parallel.shard.ParallelLayout;

/**
 * The keys of {@code strategy_config}: those of a DeepSpeed file, of which {@code
 * zero_optimization} has a meaning here, and those of FSDP2 in ROLL.
 */
final class ZeroOptions implements ParallelOptions {
  private static final String ZERO = "zero_optimization";
  private static final String STAGE = "stage";
  private static final String PERSISTENCE = "stage3_param_persistence_threshold";
  private static final String PREFETCH = "stage3_prefetch_bucket_size";
  private static final String OFFLOAD_OPTIMIZER = "offload_optimizer";
  private static final String OFFLOAD_PARAM = "offload_param";
  private static final String RESHARD = "reshard_after_forward";
  private static final String OFFLOAD_POLICY = "offload_policy";
  private static final String AUTO = "auto";

  /** Keys whose values may be numbers or {@code auto}, which is no type of its own. */
  private static final Set<String> NUMBERS = Set.of(PERSISTENCE, PREFETCH);

  /** Keys of the whole file that do nothing here, with who decides instead. */
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
          Map.entry("save_only_model", "a checkpoint has what training needs to go on"),
          Map.entry("wrap_policy", "layers are gathered one by one"),
          Map.entry("steps_per_print", "logging_steps decides"),
          Map.entry("wall_clock_breakdown", "times are in the metrics"));

  /** Keys of {@code zero_optimization} that say how, and not what: that is settled here. */
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

  private static final List<OptionInfo> KNOWN =
      List.of(
          new OptionInfo(
              ZERO,
              OptionInfo.Type.MAPPING,
              Map.of(),
              "stage 0 to 3, "
                  + PERSISTENCE
                  + ", "
                  + PREFETCH
                  + ", "
                  + OFFLOAD_OPTIMIZER
                  + ", "
                  + OFFLOAD_PARAM),
          new OptionInfo(
              RESHARD,
              OptionInfo.Type.BOOLEAN,
              true,
              "FSDP2's: parameters are cut too (stage 3); false leaves them whole (stage 2)"),
          new OptionInfo(
              OFFLOAD_POLICY,
              OptionInfo.Type.BOOLEAN,
              false,
              "FSDP2's: optimizer and parameters lie in files while they are not used"));

  private static final List<OptionInfo> ZERO_KNOWN =
      List.of(
          new OptionInfo(STAGE, OptionInfo.Type.INTEGER, null, "what is cut"),
          new OptionInfo(OFFLOAD_OPTIMIZER, OptionInfo.Type.MAPPING, Map.of(), "where moments lie"),
          new OptionInfo(OFFLOAD_PARAM, OptionInfo.Type.MAPPING, Map.of(), "where parameters lie"),
          new OptionInfo(PERSISTENCE, OptionInfo.Type.NUMBER, null, "numbers that stay"),
          new OptionInfo(PREFETCH, OptionInfo.Type.NUMBER, null, "0 for no prefetching"));

  private static final List<OptionInfo> OFFLOAD_KNOWN =
      List.of(
          new OptionInfo("device", OptionInfo.Type.TEXT, "none", "none, cpu or nvme"),
          new OptionInfo("nvme_path", OptionInfo.Type.TEXT, null, "folder of the files"),
          new OptionInfo("pin_memory", OptionInfo.Type.BOOLEAN, false, "does nothing"));

  private final WorkerConfig worker;
  private final String where;
  private final List<String> notices = new ArrayList<>();

  ZeroOptions(WorkerConfig worker) {
    this.worker = worker;
    this.where = worker.role() + ".strategy_args.strategy_config";
  }

  /** What {@code strategy_config} may contain. */
  static List<OptionInfo> known() {
    return KNOWN;
  }

  @Override
  public List<String> notices() {
    return notices;
  }

  @Override
  public ParallelLayout layout() {
    Options options =
        Options.of(where, without(worker.strategyOptions(), IDLE.keySet(), where), KNOWN);
    Options zero =
        Options.of(where + "." + ZERO, zero(worker.strategyOptions().get(ZERO)), ZERO_KNOWN);
    int stage = zero.has(STAGE) ? zero.integer(STAGE, 0, 3) : options.flag(RESHARD) ? 3 : 2;
    Offload moments = offload(zero, OFFLOAD_OPTIMIZER);
    Offload parameters = offload(zero, OFFLOAD_PARAM);
    boolean policy = options.flag(OFFLOAD_POLICY);
    if (stage < 3 && parameters.parameters()) {
      notices.add(
          "%s.%s.%s has no effect here: only stage 3 cuts parameters, this is stage %d"
              .formatted(where, ZERO, OFFLOAD_PARAM, stage));
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
        zero.has(PERSISTENCE)
            ? (long) zero.number(PERSISTENCE, 0, Long.MAX_VALUE)
            : ParallelLayout.PERSISTENCE,
        !zero.has(PREFETCH) || zero.number(PREFETCH, 0, Double.MAX_VALUE) > 0,
        new Offload(
            moments.optimizer() || policy,
            stage == 3 && (parameters.parameters() || policy),
            moments.folder() == null ? parameters.folder() : moments.folder()));
  }

  /** The keys of {@code zero_optimization} that have a meaning; {@code auto} is as if not there. */
  private Map<String, Object> zero(@Nullable Object given) {
    Map<String, Object> keys = new LinkedHashMap<>();
    if (given instanceof Map<?, ?> map) {
      map.forEach((key, value) -> put(keys, String.valueOf(key), value));
    }
    return without(keys, HOW, where + "." + ZERO);
  }

  private static void put(Map<String, Object> keys, String key, @Nullable Object value) {
    if (value != null && !(NUMBERS.contains(key) && AUTO.equals(value))) {
      keys.put(key, value);
    }
  }

  private Map<String, Object> without(Map<String, Object> given, Set<String> idle, String place) {
    Map<String, Object> left = new LinkedHashMap<>();
    given.forEach(
        (key, value) -> {
          if (!idle.contains(key)) {
            left.put(key, value);
          } else if (IDLE.containsKey(key) && value instanceof Number) {
            notices.add(place + "." + key + " has no effect here: " + IDLE.get(key));
          }
        });
    return left;
  }

  /** One flag of two, as both say the same of different things. */
  private Offload offload(Options zero, String key) {
    Map<String, Object> given = new LinkedHashMap<>();
    if (worker.strategyOptions().get(ZERO) instanceof Map<?, ?> map
        && map.get(key) instanceof Map<?, ?> own) {
      own.forEach((name, value) -> put(given, String.valueOf(name), value));
    }
    Options options = Options.of(zero.where() + "." + key, given, OFFLOAD_KNOWN);
    boolean away = !options.word("device", "none", "cpu", "nvme").equals("none");
    Path folder = options.has("nvme_path") ? Path.of(options.text("nvme_path")) : null;
    return new Offload(away, away, folder);
  }
}
