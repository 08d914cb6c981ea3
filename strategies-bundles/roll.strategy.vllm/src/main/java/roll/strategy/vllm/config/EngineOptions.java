package roll.strategy.vllm.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.config.WorkerConfig;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.option.RawOptions;
import roll.api.option.UserException;
import roll.strategy.vllm.speculation.NgramProposer;
import roll.strategy.vllm.speculation.SpeculativeOptions;
import roll.torch.model.TensorParallel;

/**
 * The keys of {@code strategy_config} with the names of vLLM and ROLL, and those of SGLang with the
 * same meaning.
 */
public final class EngineOptions {
  private static final String KEEP = "keep";

  static final Option<Double> GPU_MEMORY_UTILIZATION =
      Option.number(
              "gpu_memory_utilization",
              0,
              1,
              "share of the device's memory for weights and KV cache together")
          .withDefault(0.5);
  static final Option<Integer> NUM_GPU_BLOCKS_OVERRIDE =
      Option.integer(
          "num_gpu_blocks_override",
          1,
          Integer.MAX_VALUE,
          "number of blocks of the KV cache, instead of gpu_memory_utilization");
  static final Option<Integer> BLOCK_SIZE =
      Option.integer("block_size", 1, 1024, "tokens of a block of the KV cache").withDefault(16);
  static final Option<Integer> MAX_MODEL_LEN =
      Option.integer(
          "max_model_len",
          2,
          Integer.MAX_VALUE,
          "maximum tokens of prompt and response; by default as many as the model and the cache"
              + " hold");
  static final Option<Integer> MAX_NUM_BATCHED_TOKENS =
      Option.integer(
              "max_num_batched_tokens",
              1,
              Integer.MAX_VALUE,
              "maximum tokens computed in a step; longer prompts are computed in chunks")
          .withDefault(2048);
  static final Option<Integer> MAX_NUM_SEQS =
      Option.integer("max_num_seqs", 1, Integer.MAX_VALUE, "maximum number of concurrent sequences")
          .withDefault(256);
  static final Option<Boolean> ENABLE_PREFIX_CACHING =
      Option.flag("enable_prefix_caching", "reuse cached prefixes for later requests")
          .withDefault(true);
  static final Option<String> KV_CACHE_DTYPE =
      Option.choice(
              "kv_cache_dtype",
              List.of("auto", "float32", "bfloat16"),
              "auto (that of the model), float32 or bfloat16")
          .withDefault("auto");

  /** Whether requests of one call are never batched with those of another. */
  public static final Option<Boolean> DETERMINISTIC =
      Option.flag(
          "deterministic",
          "requests of one call are never batched with those of another; by default in synchronous"
              + " training, where false lets each episode continue with its own response");

  /** The memory freed by sleeping. */
  public static final Option<Integer> SLEEP_LEVEL =
      Option.integer(
              "sleep_level",
              0,
              2,
              "memory freed by sleeping: 0 nothing, 1 the cache and reordered weights, 2 copies of"
                  + " weights too")
          .withDefault(1);

  static final Option<Boolean> REORDER_WEIGHTS =
      Option.flag(
          "reorder_weights",
          "linear layers read copies of their weights in oneDNN's order, which is faster; by"
              + " default where weights and copies, with the blocks of num_gpu_blocks_override, are"
              + " at most half of the engine's share,"
              + " but not for f32 models narrower than 256");
  static final Option<String> QUANTIZATION =
      Option.choice(
          "quantization",
          List.of("int8"),
          "int8: weights of linear layers, without the head, have 8 bits and a scale per output"
              + " channel; with dtype bf16, on x86-64");

  static final Option<Boolean> ENFORCE_EAGER =
      Option.flag("enforce_eager", "no CUDA graphs on a card").withDefault(false);
  static final Option<RawOptions> SPECULATIVE_CONFIG =
      Option.nested(
          "speculative_config",
          "speculative decoding: `method: ngram`, `num_speculative_tokens`, `prompt_lookup_max`,"
              + " `prompt_lookup_min`");
  static final Option<Boolean> PARTIAL_ROLLOUT =
      Option.flag(
              "partial_rollout",
              "responses in flight take new weights at their next token; false: they end first, and"
                  + " the engine copies the weights")
          .withDefault(true);
  static final Option<String> PARTIAL_ROLLOUT_CACHE =
      Option.choice(
              "partial_rollout_cache",
              List.of("recompute", KEEP),
              "whether new weights recompute the cache of responses in flight or keep it")
          .withDefault("recompute");

  private static final Option<Integer> PIPELINE_PARALLEL_SIZE =
      Option.integer("pipeline_parallel_size", 1, 1, "1: pipeline parallelism is not supported")
          .withDefault(1);
  private static final Option<Integer> DATA_PARALLEL_SIZE =
      Option.integer(
              "data_parallel_size",
              1,
              Integer.MAX_VALUE,
              "1, or devices / tensor_parallel_size; there is always one engine")
          .withDefault(1);

  /** The supported options. */
  private static final List<Option<?>> MEANT =
      List.of(
          GPU_MEMORY_UTILIZATION,
          NUM_GPU_BLOCKS_OVERRIDE,
          BLOCK_SIZE,
          MAX_MODEL_LEN,
          MAX_NUM_BATCHED_TOKENS,
          MAX_NUM_SEQS,
          ENABLE_PREFIX_CACHING,
          KV_CACHE_DTYPE,
          DETERMINISTIC,
          SLEEP_LEVEL,
          REORDER_WEIGHTS,
          QUANTIZATION,
          ENFORCE_EAGER,
          SPECULATIVE_CONFIG,
          PARTIAL_ROLLOUT,
          PARTIAL_ROLLOUT_CACHE,
          TensorParallel.SIZE,
          PIPELINE_PARALLEL_SIZE,
          DATA_PARALLEL_SIZE);

  /** Options that are accepted without effect, with the reason. */
  private static final Map<String, String> IDLE =
      Map.ofEntries(
          Map.entry("disable_custom_all_reduce", "there is no all-reduce between devices"),
          Map.entry("enable_chunked_prefill", "long prompts are always computed in chunks"),
          Map.entry("load_format", "weights are memory-mapped"),
          Map.entry("cuda_graph_sizes", "the numbers of rows are the powers of 2"),
          Map.entry("disable_mm_preprocessor_cache", "pictures are processed once an episode"),
          Map.entry("swap_space", "preempted sequences are recomputed"),
          Map.entry("VLLM_USE_V1", "there is one engine"),
          Map.entry("enable_sleep_mode", "every engine can sleep"),
          Map.entry("disable_log_stats", "metrics are always counted"),
          Map.entry("optimization_level", "nothing is compiled"),
          Map.entry("trust_remote_code", "no code of a model folder is run"),
          Map.entry("enable_memory_saver", "every engine can sleep"),
          Map.entry("grpc_mode", "the engine runs in this process"));

  /** SGLang's names of engine options. */
  private static final Map<String, String> SGLANG =
      Map.of(
          "mem_fraction_static", GPU_MEMORY_UTILIZATION.name(),
          "page_size", BLOCK_SIZE.name(),
          "context_length", MAX_MODEL_LEN.name(),
          "chunked_prefill_size", MAX_NUM_BATCHED_TOKENS.name(),
          "max_running_requests", MAX_NUM_SEQS.name(),
          "tp_size", TensorParallel.SIZE.name(),
          "dp_size", DATA_PARALLEL_SIZE.name());

  private static final String SGLANG_NAME = "sglang";

  private final WorkerConfig worker;
  private final String where;
  private final List<String> notices = new ArrayList<>();

  /** Creates the options of {@code worker}, not yet checked. */
  public EngineOptions(WorkerConfig worker) {
    this.worker = worker;
    this.where = worker.strategyOptions().where();
  }

  /** Returns all accepted engine options. */
  public static List<Option<?>> known() {
    return MEANT;
  }

  /**
   * Returns the options under vLLM's names.
   *
   * @throws UserException naming the unknown or invalid option
   */
  public Options read() {
    RawOptions given = worker.strategyOptions();
    boolean sglang = worker.strategy().equals(SGLANG_NAME);
    if (sglang) {
      notices.add(worker.role() + ".strategy_args.strategy_name: sglang is an alias of vllm");
    }
    for (String key : given.values().keySet()) {
      String reason = IDLE.get(key);
      if (reason != null) {
        notices.add(where + "." + key + " has no effect: " + reason);
      }
      String own = SGLANG.get(key);
      if (sglang && own != null && given.values().containsKey(own)) {
        throw new UserException(
            "%s: %s is given twice, once under its name in SGLang".formatted(where, own));
      }
    }
    RawOptions meant = given.without(IDLE.keySet());
    Options options = (sglang ? meant.renamed(SGLANG) : meant).checked(MEANT);
    check(options);
    if (worker.model().batchInvariant()) {
      checkInvariant(options);
    }
    return options;
  }

  /** Checks the options that depend on the devices. */
  private void check(Options options) {
    int engines = Math.max(1, worker.devices().size() / TensorParallel.of(options, worker).size());
    int given = options.get(DATA_PARALLEL_SIZE);
    if (given != 1 && given != engines) {
      String found = engines == 1 ? "1" : "1 or " + engines;
      throw options.wrong(DATA_PARALLEL_SIZE, found + ", devices / tensor_parallel_size");
    }
    proposer(options);
    if (!options.get(PARTIAL_ROLLOUT) && options.get(PARTIAL_ROLLOUT_CACHE).equals(KEEP)) {
      throw options.wrong(PARTIAL_ROLLOUT_CACHE, "recompute where partial_rollout is false");
    }
  }

  /** Returns what proposes tokens; null if nothing does. */
  static @Nullable NgramProposer proposer(Options options) {
    RawOptions given = options.find(SPECULATIVE_CONFIG).orElse(null);
    return given == null ? null : SpeculativeOptions.read(given);
  }

  /** Returns how new weights are taken. */
  static EngineSettings.WeightUpdate update(Options options) {
    if (!options.get(PARTIAL_ROLLOUT)) {
      return EngineSettings.WeightUpdate.DRAIN;
    }
    return options.get(PARTIAL_ROLLOUT_CACHE).equals(KEEP)
        ? EngineSettings.WeightUpdate.KEEP
        : EngineSettings.WeightUpdate.RECOMPUTE;
  }

  /** Refuses formats in which sampling would compute other numbers than training. */
  private void checkInvariant(Options options) {
    if (options.has(QUANTIZATION)) {
      throw options.wrong(QUANTIZATION, "no value with batch_invariant: true");
    }
    if (options.find(REORDER_WEIGHTS).orElse(false)) {
      throw options.wrong(REORDER_WEIGHTS, "false or no value with batch_invariant: true");
    }
    String own = worker.model().dtype() == Dtype.BF16 ? "bfloat16" : "float32";
    String cache = options.get(KV_CACHE_DTYPE);
    if (!cache.equals("auto") && !cache.equals(own)) {
      throw options.wrong(KV_CACHE_DTYPE, "auto or " + own + " with batch_invariant: true");
    }
  }

  /** Returns one line for each option without effect, after {@link #read}. */
  public List<String> notices() {
    return notices;
  }
}
