package roll.strategy.vllm;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import roll.api.config.WorkerConfig;
import roll.api.option.OptionInfo;
import roll.api.option.Options;
import roll.api.option.UserException;
import roll.torch.model.TensorParallel;

/**
 * The keys of {@code strategy_config}, as vLLM and ROLL name them, and those of SGLang where they
 * mean the same.
 */
final class EngineOptions {
  static final String GPU_MEMORY_UTILIZATION = "gpu_memory_utilization";
  static final String NUM_GPU_BLOCKS_OVERRIDE = "num_gpu_blocks_override";
  static final String BLOCK_SIZE = "block_size";
  static final String MAX_MODEL_LEN = "max_model_len";
  static final String MAX_NUM_BATCHED_TOKENS = "max_num_batched_tokens";
  static final String MAX_NUM_SEQS = "max_num_seqs";
  static final String ENABLE_PREFIX_CACHING = "enable_prefix_caching";
  static final String KV_CACHE_DTYPE = "kv_cache_dtype";
  static final String DETERMINISTIC = "deterministic";
  static final String SLEEP_LEVEL = "sleep_level";
  private static final String PIPELINE_PARALLEL_SIZE = "pipeline_parallel_size";
  private static final String DATA_PARALLEL_SIZE = "data_parallel_size";

  /** Most tokens of a block. */
  static final int LARGEST_BLOCK = 1024;

  /** What has a meaning here. */
  private static final List<OptionInfo> MEANT =
      List.of(
          new OptionInfo(
              GPU_MEMORY_UTILIZATION,
              OptionInfo.Type.NUMBER,
              0.5,
              "share of the device's memory that weights and KV cache may take together"),
          new OptionInfo(
              NUM_GPU_BLOCKS_OVERRIDE,
              OptionInfo.Type.INTEGER,
              null,
              "blocks of the KV cache, in its place"),
          new OptionInfo(
              BLOCK_SIZE, OptionInfo.Type.INTEGER, 16, "tokens of a block of the KV cache"),
          new OptionInfo(
              MAX_MODEL_LEN,
              OptionInfo.Type.INTEGER,
              null,
              "most tokens of prompt and response; as many as the model and the cache hold"),
          new OptionInfo(
              MAX_NUM_BATCHED_TOKENS,
              OptionInfo.Type.INTEGER,
              2048,
              "most tokens computed in a step; longer prompts are computed in chunks"),
          new OptionInfo(
              MAX_NUM_SEQS, OptionInfo.Type.INTEGER, 256, "most sequences that run at once"),
          new OptionInfo(
              ENABLE_PREFIX_CACHING,
              OptionInfo.Type.BOOLEAN,
              true,
              "what is in the cache serves later requests that begin with it"),
          new OptionInfo(
              KV_CACHE_DTYPE,
              OptionInfo.Type.TEXT,
              "auto",
              "auto (that of the model), float32 or bfloat16"),
          new OptionInfo(
              DETERMINISTIC,
              OptionInfo.Type.BOOLEAN,
              null,
              "requests of one call are never computed beside those of another; in synchronous"
                  + " training they are not anyway"),
          new OptionInfo(
              SLEEP_LEVEL,
              OptionInfo.Type.INTEGER,
              1,
              "what sleeping frees: 0 nothing, 1 the cache, 2 copies of weights too"),
          TensorParallel.OPTION,
          new OptionInfo(
              PIPELINE_PARALLEL_SIZE, OptionInfo.Type.INTEGER, 1, "1: layers are not spread"),
          new OptionInfo(
              DATA_PARALLEL_SIZE,
              OptionInfo.Type.INTEGER,
              1,
              "1, or devices / tensor_parallel_size; there is one engine in any case"));

  /** What is accepted because it says how something is done that is not done here, and why. */
  private static final Map<String, String> IDLE =
      Map.ofEntries(
          Map.entry("enforce_eager", "there are no CUDA graphs"),
          Map.entry("disable_custom_all_reduce", "nothing is added up between devices"),
          Map.entry("enable_chunked_prefill", "long prompts are always computed in chunks"),
          Map.entry("load_format", "weights are read where they lie"),
          Map.entry("swap_space", "who is preempted is computed anew"),
          Map.entry("VLLM_USE_V1", "there is one engine"),
          Map.entry("enable_sleep_mode", "every engine can sleep"),
          Map.entry("disable_log_stats", "metrics are always counted"),
          Map.entry("trust_remote_code", "no code of a model folder is run"),
          Map.entry("enable_memory_saver", "every engine can sleep"),
          Map.entry("grpc_mode", "the engine runs in this process"));

  /** SGLang's names. */
  private static final Map<String, String> SGLANG =
      Map.of(
          "mem_fraction_static", GPU_MEMORY_UTILIZATION,
          "page_size", BLOCK_SIZE,
          "context_length", MAX_MODEL_LEN,
          "chunked_prefill_size", MAX_NUM_BATCHED_TOKENS,
          "max_running_requests", MAX_NUM_SEQS,
          "tp_size", TensorParallel.KEY,
          "dp_size", DATA_PARALLEL_SIZE);

  private static final String SGLANG_NAME = "sglang";

  private final WorkerConfig worker;
  private final String where;
  private final List<String> notices = new ArrayList<>();

  EngineOptions(WorkerConfig worker) {
    this.worker = worker;
    this.where = worker.role() + ".strategy_args.strategy_config";
  }

  /** What may be given. */
  static List<OptionInfo> known() {
    return MEANT;
  }

  /**
   * The options as this strategy names them.
   *
   * @throws UserException naming what is unknown or wrong
   */
  Options read() {
    Map<String, Object> given = new LinkedHashMap<>();
    boolean sglang = worker.strategy().equals(SGLANG_NAME);
    if (sglang) {
      notices.add(worker.role() + ".strategy_args.strategy_name: sglang stands for vllm");
    }
    worker
        .strategyOptions()
        .forEach(
            (key, value) -> {
              String reason = IDLE.get(key);
              String own = sglang ? SGLANG.getOrDefault(key, key) : key;
              if (reason != null) {
                notices.add(where + "." + key + " has no effect: " + reason);
              } else if (given.putIfAbsent(own, value) != null) {
                throw new UserException(
                    "%s: %s is given twice, once by its name in SGLang".formatted(where, own));
              }
            });
    Options options = Options.of(where, given, MEANT);
    check(options);
    return options;
  }

  /** What can be found wrong without the model. */
  private void check(Options options) {
    options.number(GPU_MEMORY_UTILIZATION, 0, 1);
    options.integer(BLOCK_SIZE, 1, LARGEST_BLOCK);
    options.integer(MAX_NUM_BATCHED_TOKENS, 1, Integer.MAX_VALUE);
    options.integer(MAX_NUM_SEQS, 1, Integer.MAX_VALUE);
    options.word(KV_CACHE_DTYPE, "auto", "float32", "bfloat16");
    options.integer(SLEEP_LEVEL, 0, 2);
    options.integer(PIPELINE_PARALLEL_SIZE, 1, 1);
    int engines = Math.max(1, worker.devices().size() / TensorParallel.of(options, worker).size());
    int given = options.integer(DATA_PARALLEL_SIZE, 1, Integer.MAX_VALUE);
    if (given != 1 && given != engines) {
      String found = engines == 1 ? "1" : "1 or " + engines;
      throw options.wrong(DATA_PARALLEL_SIZE, found + ", devices / tensor_parallel_size");
    }
  }

  /** A line for what is accepted and does nothing, after {@link #read}. */
  List<String> notices() {
    return notices;
  }
}
