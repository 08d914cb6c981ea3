package roll.strategy.vllm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.memory.MemoryKind;
import roll.api.memory.SessionMemory;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.Sampling;
import roll.decoder.DecoderParameters;
import roll.decoder.ModelMemoryEstimate;
import roll.torch.NativeHeap;
import roll.torch.model.Parameters;

/** Sleep frees the configured memory, and later generation is unchanged. */
@Timeout(60)
final class SleepTest {
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final GenerationRequest REQUEST =
      Tiny.request(new int[] {3, 1, 4, 1, 5}, Sampling.of(30), 1);

  /** Bytes the process holds. */
  private static long held() throws IOException {
    Assumptions.assumeTrue(Files.exists(STATUS), "this system does not tell");
    for (String line : Files.readAllLines(STATUS)) {
      if (line.startsWith("VmRSS:")) {
        return 1024 * Long.parseLong(line.replaceAll("[^0-9]", ""));
      }
    }
    throw new IOException("no VmRSS in " + STATUS);
  }

  @ParameterizedTest
  @CsvSource({"0, FP32", "1, FP32", "2, FP32", "0, BF16", "1, BF16", "2, BF16"})
  void generatingWakes(int level, Dtype dtype) {
    try (Tiny tiny = new Tiny();
        VllmSession session = tiny.open(dtype, "sleep_level", level)) {
      Generation before = Tiny.one(session, REQUEST);
      double[] scores = SessionTest.scores(session, REQUEST.prompt(), before.tokens());
      for (int round = 0; round < 2; round++) {
        session.sleep().join();
        session.sleep().join();
        assertArrayEquals(
            scores, SessionTest.scores(session, REQUEST.prompt(), before.tokens()), 0);
        if (round == 1) {
          session.wake().join();
        }
        Generation after = Tiny.one(session, REQUEST);
        assertArrayEquals(before.tokens(), after.tokens());
        assertArrayEquals(before.logProbs(), after.logProbs(), level == 0 ? 1e-4 : 0);
      }
    }
  }

  @Test
  void whatIsBeingWrittenIsWrittenFirst() {
    try (Tiny tiny = new Tiny();
        VllmSession session = tiny.open()) {
      CompletableFuture<List<Generation>> running = session.generate(List.of(REQUEST));
      session.sleep().join();
      assertTrue(running.isDone());
      assertEquals(30, running.join().getFirst().tokens().length);
    }
  }

  /** A block of 1,024 tokens takes 2.4 MB, and 64 are made ready at once: 151 MB. */
  @ParameterizedTest
  @CsvSource({"0, false", "1, true", "2, true"})
  void theCacheIsGivenBack(int level, boolean freed) throws IOException {
    try (Tiny tiny = new Tiny();
        VllmSession session =
            tiny.open("num_gpu_blocks_override", 64, "block_size", 1024, "sleep_level", level)) {
      NativeHeap.trim(); // what earlier tests freed would be taken again, and seem to cost nothing
      long before = held();
      Tiny.one(session, REQUEST);
      long during = held();
      assertTrue(during - before > 140_000_000, () -> before + " to " + during);
      session.sleep().join();
      long after = held();
      assertEquals(freed, during - after > 140_000_000, () -> during + " to " + after);
    }
  }

  /**
   * Matrices of 19 million weights that come in f32: three copies in bf16 take 113 MB. Each is so
   * large that the C library maps it by itself and has to return it.
   */
  @Test
  void ownCopiesAreGivenBack(@TempDir Path folder) throws IOException {
    Files.writeString(
        folder.resolve("config.json"),
        """
        {"model_type": "qwen2", "hidden_size": 512, "num_attention_heads": 8,
         "num_key_value_heads": 2, "vocab_size": 144, "num_hidden_layers": 1,
         "intermediate_size": 36864, "max_position_embeddings": 128, "rms_norm_eps": 1e-6,
         "rope_theta": 100.0, "tie_word_embeddings": true, "initializer_range": 0.02}
        """);
    for (String file : List.of("tokenizer.json", "tokenizer_config.json")) {
      Files.copy(Tiny.SHIPPED.resolve(file), folder.resolve(file));
    }
    try (Tiny tiny = new Tiny(folder);
        VllmSession session = tiny.open(Dtype.BF16, "sleep_level", 2, "max_num_seqs", 1)) {
      Parameters weights = tiny.weights(1);
      session.update(weights).join();
      Generation before = Tiny.one(session, REQUEST);
      long during = held();
      session.sleep().join();
      long asleep = held();
      assertTrue(during - asleep > 110_000_000, () -> during + " to " + asleep);
      session.update(weights).join(); // who sleeps continues sleeping
      long updated = held();
      assertTrue(updated - asleep < 10_000_000, () -> asleep + " to " + updated);
      assertArrayEquals(before.tokens(), Tiny.one(session, REQUEST).tokens());
      tiny.free(weights);
    }
  }

  @Test
  void whatIsHeldIsToldUntilItIsFreed() {
    try (Tiny tiny = new Tiny();
        VllmSession session = tiny.open("num_gpu_blocks_override", 100)) {
      long weights = session.peakMemory().getFirst().resident();
      assertEquals(4 * DecoderParameters.size(tiny.spec()), weights);
      Tiny.one(session, REQUEST);
      Map<MemoryKind, Long> busy = session.peakMemory().getFirst().bytes();
      // 64 blocks of 16 tokens at first, and 8 rows of 64, of all layers, keys and values, in f32
      long token = new ModelMemoryEstimate(tiny.spec()).cachedToken(Dtype.FP32);
      assertEquals((64 * 16 + 8 * 64) * token, busy.get(MemoryKind.KV_CACHE));
      session.sleep().join();
      assertEquals(busy, session.peakMemory().getFirst().bytes());
      assertEquals(
          List.of(new SessionMemory(-1, Map.of(MemoryKind.PARAMETERS, weights))),
          session.peakMemory());
    }
  }
}
