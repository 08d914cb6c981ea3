package roll.strategy.vllm.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.model.DecoderSpec;
import roll.api.model.Rope;
import roll.api.option.Options;
import roll.decoder.DecoderParameters;
import roll.decoder.ModelMemoryEstimate;
import roll.strategy.vllm.Tiny;
import roll.torch.Precision;

/** Tests the size of the cache by numbers that can be checked by hand. */
final class KvCacheSizingTest {
  private static final String WHERE = "actor_infer.strategy_args.strategy_config.";

  /** 2 layers with keys of 1 head of 4: a token takes 2 · 2 · 4 numbers, 64 bytes in f32. */
  private static final DecoderSpec SPEC =
      new DecoderSpec(
          "test",
          10,
          4,
          8,
          2,
          new DecoderSpec.Attention(1, 1, 4),
          new Rope(List.of(1f, 0.1f), 1),
          100,
          1e-5,
          Set.of(),
          0.1);

  private static final long WEIGHTS = 4 * DecoderParameters.size(SPEC);

  private static Options options(Dtype dtype, Object... given) {
    return new EngineOptions(Tiny.worker(Path.of("."), dtype, "vllm", Tiny.options(given))).read();
  }

  private static EngineSettings sized(long memory, Dtype dtype, Object... given) {
    return new KvCacheSizing(SPEC, Precision.of(dtype), 50, memory, false)
        .settings(options(dtype, given), false);
  }

  private static EngineSettings settings(Object... given) {
    return sized(1L << 30, Dtype.FP32, given);
  }

  private static String refused(long memory, Object... given) {
    return userError(() -> sized(memory, Dtype.FP32, given));
  }

  @Test
  void synchronousTrainingIsDeterministicUnlessToldOtherwise() {
    KvCacheSizing size = new KvCacheSizing(SPEC, Precision.of(Dtype.FP32), 50, 1L << 30, false);
    assertTrue(size.settings(options(Dtype.FP32), true).deterministic());
    assertFalse(size.settings(options(Dtype.FP32), false).deterministic());
    assertFalse(size.settings(options(Dtype.FP32, "deterministic", false), true).deterministic());
  }

  /** 50 tokens are 4 blocks of 16. */
  @Test
  void thereIsNoMoreThanAllSequencesFill() {
    EngineSettings defaults = settings();
    assertEquals(
        new EngineSettings(
            16,
            4 * 256,
            2048,
            256,
            100,
            true,
            Dtype.FP32,
            false,
            1,
            WeightFormat.PLAIN,
            true,
            null,
            EngineSettings.WeightUpdate.RECOMPUTE),
        defaults);
    assertEquals(
        7 * 3, settings("block_size", 15, "max_num_seqs", 3, "max_model_len", 100).blocks());
  }

  @Test
  void elseItIsTheShareLessTheWeights() {
    long memory = 2 * WEIGHTS + 2 * 10 * 16 * 64;
    assertEquals(10, plain(memory, Dtype.FP32).blocks());
    assertEquals(10, plain(memory + 2046, Dtype.FP32).blocks());
    assertEquals(11, plain(memory + 2048, Dtype.FP32).blocks());
    // half the weights, and half of each block
    long rest = memory / 2 - WEIGHTS / 2;
    assertEquals(rest / (16 * 32), plain(memory, Dtype.BF16).blocks());
    assertEquals(
        20,
        sized(
                memory,
                Dtype.FP32,
                "kv_cache_dtype",
                "bfloat16",
                "max_num_seqs",
                99,
                "reorder_weights",
                false)
            .blocks());
    assertEquals(Dtype.FP32, sized(memory, Dtype.BF16, "kv_cache_dtype", "float32").cache());
  }

  /**
   * On a card a block in bf16, 16 tokens of 32 bytes, is there twice, unless there are no graphs.
   */
  @Test
  void graphsReadASecondCopyOfTheCache() {
    long memory = 2 * (WEIGHTS / 2 + 10 * 16 * 2 * 32);
    KvCacheSizing card = new KvCacheSizing(SPEC, Precision.of(Dtype.BF16), 50, memory, true);
    assertEquals(10, card.settings(options(Dtype.BF16), false).blocks());
    Options eager = options(Dtype.BF16, "enforce_eager", true);
    assertEquals(20, card.settings(eager, false).blocks());
    assertEquals(20, plain(memory, Dtype.BF16).blocks());
  }

  private static EngineSettings plain(long memory, Dtype dtype) {
    return sized(memory, dtype, "reorder_weights", false);
  }

  @Test
  void andLessTheirReorderedCopies() {
    long copies = new ModelMemoryEstimate(SPEC).reordered(Dtype.FP32);
    long memory = 2 * WEIGHTS + 2 * 10 * 16 * 64 + 2 * copies;
    assertEquals(10, reordered(memory).blocks());
    assertEquals(10, reordered(memory + 2046).blocks());
    assertEquals(11, reordered(memory + 2048).blocks());
  }

  /** The head, 10 · 4 weights, in f32; a block has 16 tokens of 32 bytes. */
  @Test
  void andLessTheHeadInF32() {
    long memory = 2 * (WEIGHTS / 2 + 160 + 10 * 16 * 32);
    Options plain = options(Dtype.BF16, "reorder_weights", false);
    KvCacheSizing wide =
        new KvCacheSizing(SPEC, new Precision(Dtype.BF16, true, 1), 50, memory, false);
    assertEquals(10, wide.settings(plain, false).blocks());
    KvCacheSizing less =
        new KvCacheSizing(SPEC, new Precision(Dtype.BF16, true, 1), 50, memory - 2, false);
    assertEquals(9, less.settings(plain, false).blocks());
  }

  private static EngineSettings reordered(long memory) {
    return sized(memory, Dtype.FP32, "reorder_weights", true);
  }

  @Test
  void quantizationNeedsBf16AndTheReorderedCopies() {
    assertEquals(WeightFormat.INT8, sized(1L << 30, Dtype.BF16, "quantization", "int8").weights());
    String where = "actor_infer.strategy_args.strategy_config.";
    assertEquals(
        where
            + "quantization: expected no value: int8 needs dtype bf16 and an x86-64 processor,"
            + " found 'int8'",
        refused(1L << 30, "quantization", "int8"));
    assertEquals(
        where + "reorder_weights: expected true or no value with quantization: int8, found 'false'",
        userError(
            () -> sized(1L << 30, Dtype.BF16, "quantization", "int8", "reorder_weights", false)));
  }

  /** Ten blocks; the share is half of the memory. */
  @Test
  void copiesAreMadeWhereHalfOfTheShareHasRoom() {
    long need = WEIGHTS / 2 + new ModelMemoryEstimate(SPEC).reordered(Dtype.BF16) + 10 * 16 * 32;
    Object[] ten = {"num_gpu_blocks_override", 10};
    assertEquals(WeightFormat.REORDERED, sized(4 * need, Dtype.BF16, ten).weights());
    assertEquals(WeightFormat.PLAIN, sized(4 * need - 4, Dtype.BF16, ten).weights());
    assertEquals(
        WeightFormat.PLAIN, sized(1L << 30, Dtype.BF16, "reorder_weights", false).weights());
    assertEquals(WeightFormat.PLAIN, sized(1L << 30, Dtype.FP32, ten).weights(), "it is narrow");
  }

  @Test
  void whatIsAskedForIsTaken() {
    EngineSettings asked = settings("num_gpu_blocks_override", 3, "block_size", 5);
    assertEquals(3, asked.blocks());
    assertEquals(15, asked.maxModelLength());
    assertEquals(9, settings("max_num_batched_tokens", 9).maxSequences());
    assertFalse(settings("enable_prefix_caching", false).prefixCaching());
    assertTrue(settings("deterministic", true).deterministic());
    assertEquals(2, settings("sleep_level", 2).sleepLevel());
    assertEquals(77, settings("max_model_len", 77).maxModelLength());
  }

  @ParameterizedTest
  @CsvSource({
    "block_size, 0, an integer from 1 to 1024",
    "block_size, -1, an integer from 1 to 1024",
    "block_size, 1025, an integer from 1 to 1024",
    "max_num_seqs, 0, an integer of at least 1",
    "max_num_seqs, -5, an integer of at least 1",
    "max_num_batched_tokens, 0, an integer of at least 1",
    "num_gpu_blocks_override, 0, an integer of at least 1",
    "num_gpu_blocks_override, -3, an integer of at least 1",
    "max_model_len, 0, an integer of at least 2",
    "max_model_len, 101, an integer from 2 to 100",
    "sleep_level, 3, an integer from 0 to 2"
  })
  void limitsAreChecked(String key, int value, String allowed) {
    assertEquals(
        WHERE + key + ": expected " + allowed + ", found '" + value + "'",
        refused(1L << 30, key, value));
  }

  @Test
  void sharesAndFormatsAreChecked() {
    for (Object[] more : new Object[][] {{}, {"num_gpu_blocks_override", 9}}) {
      for (double share : new double[] {-0.5, 1.5}) {
        Object[] given = {"gpu_memory_utilization", share, "sleep_level", 1};
        if (more.length > 0) {
          given = new Object[] {"gpu_memory_utilization", share, more[0], more[1]};
        }
        assertEquals(
            WHERE + "gpu_memory_utilization: expected a number from 0 to 1, found '" + share + "'",
            refused(1L << 30, given));
      }
    }
    assertEquals(
        WHERE
            + "kv_cache_dtype: expected one of auto, float32, bfloat16, found 'bfloat'; did you"
            + " mean 'bfloat16'?",
        refused(1L << 30, "kv_cache_dtype", "bfloat"));
  }

  @Test
  void whatDoesNotFitIsSaidWithWhatThereIs() {
    assertEquals(
        WHERE + "num_gpu_blocks_override: 2000000 blocks take 1.91 GiB, this device has 1.00 GiB",
        refused(1L << 30, "num_gpu_blocks_override", 2_000_000));
    assertEquals(
        WHERE
            + "max_model_len: 90 tokens do not fit into the KV cache, which holds 80 (raise"
            + " gpu_memory_utilization or num_gpu_blocks_override; 1.00 GiB of memory in all)",
        refused(1L << 30, "max_model_len", 90, "num_gpu_blocks_override", 5));
    String weights = refused(1000, "gpu_memory_utilization", 0.5);
    assertTrue(
        weights.matches(
            ".*gpu_memory_utilization: the weights take .* KiB of its 500 B \\(1000 B of memory in"
                + " all\\), a block of the KV cache 1.00 KiB"),
        weights);
    assertTrue(refused(1L << 30, "gpu_memory_utilization", 0.0).contains("the weights take"));
  }
}
