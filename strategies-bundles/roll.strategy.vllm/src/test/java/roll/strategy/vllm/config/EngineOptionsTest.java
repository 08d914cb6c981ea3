package roll.strategy.vllm.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import roll.api.config.WorkerConfig;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.strategy.vllm.Tiny;
import roll.strategy.vllm.speculation.NgramProposer;

/** The keys, as vLLM and as SGLang name them. */
final class EngineOptionsTest {
  private static final String WHERE = "actor_infer.strategy_args.strategy_config";

  private static EngineOptions options(String strategy, Object... given) {
    return new EngineOptions(Tiny.worker(Path.of("."), Dtype.FP32, strategy, Tiny.options(given)));
  }

  private static String refused(String strategy, Object... given) {
    return userError(() -> options(strategy, given).read());
  }

  @Test
  void everyKeyIsRead() {
    Object[] given = {
      "gpu_memory_utilization",
      0.25,
      "num_gpu_blocks_override",
      7,
      "block_size",
      5,
      "max_model_len",
      31,
      "max_num_batched_tokens",
      99,
      "max_num_seqs",
      3,
      "enable_prefix_caching",
      false,
      "kv_cache_dtype",
      "bfloat16",
      "deterministic",
      true,
      "sleep_level",
      2,
      "reorder_weights",
      false,
      "quantization",
      "int8",
      "enforce_eager",
      true,
      "speculative_config",
      Map.of(),
      "partial_rollout",
      true,
      "partial_rollout_cache",
      "keep",
      "tensor_parallel_size",
      1,
      "pipeline_parallel_size",
      1,
      "data_parallel_size",
      1
    };
    EngineOptions engine = options("vllm", given);
    Options read = engine.read();
    assertEquals(List.of(), engine.notices());
    assertEquals(
        Tiny.options(given).keySet().stream().toList(),
        EngineOptions.known().stream().map(Option::name).toList());
    assertEquals(0.25, read.get(EngineOptions.GPU_MEMORY_UTILIZATION));
    assertEquals(7, read.get(EngineOptions.NUM_GPU_BLOCKS_OVERRIDE));
    assertEquals(5, read.get(EngineOptions.BLOCK_SIZE));
    assertEquals(31, read.get(EngineOptions.MAX_MODEL_LEN));
    assertEquals(99, read.get(EngineOptions.MAX_NUM_BATCHED_TOKENS));
    assertEquals(3, read.get(EngineOptions.MAX_NUM_SEQS));
    assertFalse(read.get(EngineOptions.ENABLE_PREFIX_CACHING));
    assertEquals("bfloat16", read.get(EngineOptions.KV_CACHE_DTYPE));
    assertTrue(read.get(EngineOptions.DETERMINISTIC));
    assertEquals(2, read.get(EngineOptions.SLEEP_LEVEL));
    assertFalse(read.get(EngineOptions.REORDER_WEIGHTS));
    assertEquals("int8", read.get(EngineOptions.QUANTIZATION));
    assertTrue(read.get(EngineOptions.ENFORCE_EAGER));
  }

  @ParameterizedTest
  @CsvSource({
    "quantization, int8, no value",
    "reorder_weights, true, false or no value",
    "kv_cache_dtype, bfloat16, auto or float32"
  })
  void formatsOfSamplingAloneAreRefusedIfBatchInvariant(String key, String value, String allowed) {
    Object given = key.equals("reorder_weights") ? (Object) Boolean.valueOf(value) : value;
    WorkerConfig plain = Tiny.worker(Path.of("."), Dtype.FP32, "vllm", Tiny.options(key, given));
    WorkerConfig worker = plain.withModel(plain.model().withBatchInvariant(true));
    assertEquals(
        "%s.%s: expected %s with batch_invariant: true, found '%s'"
            .formatted(WHERE, key, allowed, value),
        userError(() -> new EngineOptions(worker).read()));
  }

  @Test
  void whatIsAbsentHasItsDefault() {
    Options read = options("vllm").read();
    assertEquals(0.5, read.get(EngineOptions.GPU_MEMORY_UTILIZATION));
    assertFalse(read.has(EngineOptions.NUM_GPU_BLOCKS_OVERRIDE));
    assertFalse(read.has(EngineOptions.MAX_MODEL_LEN));
    assertEquals(16, read.get(EngineOptions.BLOCK_SIZE));
    assertEquals(2048, read.get(EngineOptions.MAX_NUM_BATCHED_TOKENS));
    assertEquals(256, read.get(EngineOptions.MAX_NUM_SEQS));
    assertTrue(read.get(EngineOptions.ENABLE_PREFIX_CACHING));
    assertEquals("auto", read.get(EngineOptions.KV_CACHE_DTYPE));
    assertFalse(read.has(EngineOptions.DETERMINISTIC));
    assertEquals(1, read.get(EngineOptions.SLEEP_LEVEL));
    assertFalse(read.get(EngineOptions.ENFORCE_EAGER));
  }

  @Test
  void whatIsOutOfRangeIsRefusedBeforeAnythingIsLoaded() {
    for (Object[] wrong :
        List.of(
            new Object[] {"block_size", 0},
            new Object[] {"max_num_seqs", -1},
            new Object[] {"max_num_batched_tokens", 0},
            new Object[] {"kv_cache_dtype", "fp8"},
            new Object[] {"sleep_level", 3},
            new Object[] {"gpu_memory_utilization", 1.5})) {
      String message = userError(() -> options("vllm", wrong).read());
      assertTrue(message.contains("strategy_config." + wrong[0] + ": expected "), message);
    }
  }

  @Test
  void theCacheCannotBeKeptWhereResponsesEndBeforeNewWeights() {
    assertEquals(
        WHERE
            + ".partial_rollout_cache: expected recompute where partial_rollout is false, found"
            + " 'keep'",
        refused("vllm", "partial_rollout", false, "partial_rollout_cache", "keep"));
  }

  @Test
  void sglangStandsForVllmWithItsOwnNames() {
    EngineOptions engine =
        options(
            "sglang",
            "mem_fraction_static",
            0.75,
            "page_size",
            4,
            "context_length",
            50,
            "chunked_prefill_size",
            12,
            "max_running_requests",
            2,
            "tp_size",
            1,
            "dp_size",
            1,
            "sleep_level",
            0);
    Options read = engine.read();
    assertEquals(0.75, read.get(EngineOptions.GPU_MEMORY_UTILIZATION));
    assertEquals(4, read.get(EngineOptions.BLOCK_SIZE));
    assertEquals(50, read.get(EngineOptions.MAX_MODEL_LEN));
    assertEquals(12, read.get(EngineOptions.MAX_NUM_BATCHED_TOKENS));
    assertEquals(2, read.get(EngineOptions.MAX_NUM_SEQS));
    assertEquals(0, read.get(EngineOptions.SLEEP_LEVEL));
    assertEquals(
        List.of("actor_infer.strategy_args.strategy_name: sglang is an alias of vllm"),
        engine.notices());
  }

  @Test
  void aKeyIsGivenOnce() {
    String expected = WHERE + ": block_size is given twice, once under its name in SGLang";
    assertEquals(expected, refused("sglang", "block_size", 8, "page_size", 8));
    assertEquals(expected, refused("sglang", "page_size", 8, "block_size", 8));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "disable_custom_all_reduce",
        "enable_chunked_prefill",
        "load_format",
        "swap_space",
        "VLLM_USE_V1",
        "enable_sleep_mode",
        "disable_log_stats",
        "trust_remote_code",
        "enable_memory_saver",
        "grpc_mode"
      })
  void whatDoesNothingIsAcceptedAndSaid(String key) {
    EngineOptions engine = options("vllm", key, "anything");
    engine.read();
    assertEquals(1, engine.notices().size());
    String notice = engine.notices().getFirst();
    assertTrue(notice.startsWith(WHERE + "." + key + " has no effect: "), notice);
  }

  @Test
  void unknownKeysAreRefusedByName() {
    String refused = refused("vllm", "max_num_sqs", 3);
    assertTrue(refused.startsWith(WHERE + ": unknown key 'max_num_sqs' (allowed: gpu_m"), refused);
    assertTrue(refused.endsWith("; did you mean 'max_num_seqs'?"), refused);
    assertTrue(refused("vllm", "page_size", 3).contains("unknown key 'page_size'"));
  }

  private static @Nullable NgramProposer proposer(Object... given) {
    return EngineOptions.proposer(
        options("vllm", "speculative_config", Tiny.options(given)).read());
  }

  @Test
  void numbersOfSpeculationHaveTheDefaultsOfVllm() {
    assertNull(EngineOptions.proposer(options("vllm").read()));
    assertNull(proposer());
    assertEquals(
        new NgramProposer(3, 5, 5), proposer("method", "ngram", "num_speculative_tokens", 3));
    assertEquals(
        new NgramProposer(1, 4, 4),
        proposer("method", "ngram", "num_speculative_tokens", 1, "prompt_lookup_max", 4));
    assertEquals(
        new NgramProposer(1, 4, 2),
        proposer(
            "method",
            "ngram",
            "num_speculative_tokens",
            1,
            "prompt_lookup_max",
            4,
            "prompt_lookup_min",
            2));
  }

  @Test
  void otherSpeculationIsRefused() {
    String where = WHERE + ".speculative_config";
    assertEquals(
        where + ".method: expected one of ngram, found 'eagle'",
        userError(() -> proposer("method", "eagle", "num_speculative_tokens", 3)));
    assertEquals(
        where + ".prompt_lookup_min: expected at most prompt_lookup_max, 2, found '3'",
        userError(
            () ->
                proposer(
                    "method",
                    "ngram",
                    "num_speculative_tokens",
                    1,
                    "prompt_lookup_max",
                    2,
                    "prompt_lookup_min",
                    3)));
    for (Object[] wrong :
        List.of(
            new Object[] {"method", "ngram"},
            new Object[] {"num_speculative_tokens", 3},
            new Object[] {"method", "ngram", "num_speculative_tokens", 0},
            new Object[] {"method", "ngram", "num_speculative_tokens", 3, "model", "m"})) {
      String message = userError(() -> proposer(wrong));
      assertTrue(message.startsWith(where) && !message.contains("\n"), message);
    }
  }

  @Test
  void withoutAMappingNothingIsDivided() {
    assertEquals(
        WHERE
            + ".tensor_parallel_size: expected 1 where actor_infer has no device_mapping,"
            + " found '2'",
        refused("vllm", "tensor_parallel_size", 2));
    assertEquals(
        WHERE + ".pipeline_parallel_size: expected an integer from 1 to 1, found '2'",
        refused("vllm", "pipeline_parallel_size", 2));
    assertEquals(
        WHERE + ".data_parallel_size: expected 1, devices / tensor_parallel_size, found '2'",
        refused("vllm", "data_parallel_size", 2));
    assertTrue(refused("sglang", "tp_size", 2).contains("tensor_parallel_size"));
  }

  @Test
  void sizesDivideTheDevices() {
    mapped(4, "tensor_parallel_size", 1);
    mapped(4, "tensor_parallel_size", 2, "data_parallel_size", 2);
    mapped(4, "tensor_parallel_size", 4, "data_parallel_size", 1);
    assertEquals(
        WHERE
            + ".tensor_parallel_size: expected a divisor of the 4 devices of device_mapping,"
            + " found '3'",
        userError(() -> mapped(4, "tensor_parallel_size", 3)));
    assertEquals(
        WHERE + ".tensor_parallel_size: expected an integer from 1 to 4096, found '0'",
        userError(() -> mapped(4, "tensor_parallel_size", 0)));
    assertEquals(
        WHERE + ".data_parallel_size: expected 1 or 2, devices / tensor_parallel_size, found '4'",
        userError(() -> mapped(4, "tensor_parallel_size", 2, "data_parallel_size", 4)));
  }

  private static void mapped(int devices, Object... given) {
    List<Integer> numbers = IntStream.range(0, devices).boxed().toList();
    new EngineOptions(Tiny.worker(Path.of("."), Dtype.FP32, "vllm", Tiny.options(given), numbers))
        .read();
  }
}
