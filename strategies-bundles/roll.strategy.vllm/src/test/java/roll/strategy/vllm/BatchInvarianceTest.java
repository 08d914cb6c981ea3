package roll.strategy.vllm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.Sampling;

/**
 * With {@code batch_invariant} sampled log-probs are those of scoring, bit for bit, whatever else
 * the engine computes; {@code roll.torch} tests that scoring and training agree.
 */
final class BatchInvarianceTest {
  private static final String QWEN2 =
      """
      {"model_type": "qwen2", "hidden_act": "silu", "hidden_size": 112, "intermediate_size": 304,
       "num_hidden_layers": 2, "num_attention_heads": 7, "num_key_value_heads": 1,
       "vocab_size": 144, "max_position_embeddings": 512, "rope_theta": 1000000.0,
       "rms_norm_eps": 1e-06, "initializer_range": 0.05, "tie_word_embeddings": false}
      """;

  private static final String LLAMA =
      """
      {"model_type": "llama", "hidden_act": "silu", "hidden_size": 96, "intermediate_size": 264,
       "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2,
       "vocab_size": 144, "max_position_embeddings": 512, "rope_theta": 10000.0,
       "rms_norm_eps": 1e-05, "initializer_range": 0.1, "tie_word_embeddings": true}
      """;

  /** Prompts of 3 to 127 tokens with common prefixes, some equal. */
  private static final List<GenerationRequest> REQUESTS =
      IntStream.range(0, 10)
          .mapToObj(
              n ->
                  Tiny.request(
                      IntStream.range(0, 3 + (n / 2 * 31) % 130)
                          .map(t -> t < 60 ? (7 * t) % 139 : (5 * n + 3 * t) % 139)
                          .toArray(),
                      Sampling.of(5 + (n * 13) % 30),
                      n))
          .toList();

  private static void describe(Path folder, String config) throws IOException {
    for (String name : List.of("tokenizer.json", "tokenizer_config.json")) {
      Files.copy(Tiny.SHIPPED.resolve(name), folder.resolve(name));
    }
    Files.writeString(folder.resolve("config.json"), config);
  }

  @ParameterizedTest
  @CsvSource({"qwen2, FP32", "qwen2, BF16", "llama, FP32", "llama, BF16"})
  void sampledLogProbsAreTheScored(String type, Dtype dtype, @TempDir Path folder)
      throws IOException {
    describe(folder, type.equals("llama") ? LLAMA : QWEN2);
    List<Generation> together;
    try (Tiny tiny = new Tiny(folder, 2);
        VllmSession session = tiny.openInvariant(dtype)) {
      together = session.generate(REQUESTS).join();
      assertScored(session, REQUESTS, together);
      session.metrics();
      List<GenerationRequest> next = continued(together);
      assertScored(session, next, session.generate(next).join());
      assertTrue(session.metrics().get("vllm/prefix_cache_hit_rate") > 0.5);
    }
    try (Tiny tiny = new Tiny(folder, 1);
        VllmSession session =
            tiny.openInvariant(
                dtype,
                "max_num_batched_tokens",
                24,
                "max_num_seqs",
                5,
                "block_size",
                4,
                "enable_prefix_caching",
                false)) {
      assertSame(together, session.generate(REQUESTS).join());
      for (int i = 0; i < REQUESTS.size(); i += 5) {
        assertSame(
            List.of(together.get(i)),
            session.generate(List.of(REQUESTS.get(i)), (n, token) -> {}).join());
      }
    }
  }

  /** The prompts with their responses, which are in the cache. */
  private static List<GenerationRequest> continued(List<Generation> written) {
    return IntStream.range(0, REQUESTS.size())
        .mapToObj(
            n ->
                Tiny.request(
                    IntStream.concat(
                            IntStream.of(REQUESTS.get(n).prompt()),
                            IntStream.of(written.get(n).tokens()))
                        .toArray(),
                    Sampling.of(9),
                    100 + n))
        .toList();
  }

  private static void assertSame(List<Generation> expected, List<Generation> found) {
    for (int i = 0; i < expected.size(); i++) {
      assertArrayEquals(expected.get(i).tokens(), found.get(i).tokens());
      assertArrayEquals(expected.get(i).logProbs(), found.get(i).logProbs());
    }
  }

  /** Scored together and alone. */
  private static void assertScored(
      VllmSession session, List<GenerationRequest> requests, List<Generation> drawn) {
    Responses responses = new Responses(requests, drawn);
    assertArrayEquals(responses.drawn(), responses.scored(session));
    for (int i = 0; i < requests.size(); i++) {
      Responses one = new Responses(List.of(requests.get(i)), List.of(drawn.get(i)));
      assertArrayEquals(one.drawn(), one.scored(session));
    }
  }
}
