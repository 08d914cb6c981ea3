package roll.strategy.vllm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.Sampling;

/** A model with experts writes what its whole responses score, however its weights are read. */
final class ExpertsTest {
  private final Path folder;

  ExpertsTest(@TempDir Path folder) {
    this.folder = folder;
  }

  /** Random weights that spread so far that words differ, and experts. */
  @BeforeEach
  void describe() throws IOException {
    for (String name : List.of("tokenizer.json", "tokenizer_config.json")) {
      Files.copy(Tiny.SHIPPED.resolve(name), folder.resolve(name));
    }
    Files.writeString(
        folder.resolve("config.json"),
        """
        {"model_type": "qwen3_moe", "vocab_size": %d, "hidden_size": 64, "num_hidden_layers": 3,
         "num_attention_heads": 4, "head_dim": 16, "num_key_value_heads": 2,
         "moe_intermediate_size": 32, "num_experts": 24, "num_experts_per_tok": 4,
         "norm_topk_prob": true, "max_position_embeddings": 256, "initializer_range": 0.15,
         "tie_word_embeddings": false}
        """
            .formatted(Tiny.VOCABULARY));
  }

  private static List<GenerationRequest> requests(int tokens) {
    return IntStream.rangeClosed(1, 9)
        .mapToObj(
            n ->
                Tiny.request(
                    IntStream.range(0, 5 * n).map(i -> 5 + (i * n) % 50).toArray(),
                    Sampling.of(tokens),
                    n))
        .toList();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatIsDrawnIsWhatIsScored(boolean reordered) {
    List<GenerationRequest> requests = requests(20);
    try (Tiny tiny = new Tiny(folder);
        VllmSession session =
            tiny.open(
                "reorder_weights", reordered, "block_size", 4, "max_num_batched_tokens", 33)) {
      Responses responses = new Responses(requests, session.generate(requests).join());
      double[] drawn = responses.drawn();
      assertEquals(9 * 20, drawn.length);
      assertArrayEquals(responses.scored(session), drawn, 1e-4);
    }
  }

  /** The same call again: the same bits. */
  @Test
  void repeats() {
    try (Tiny tiny = new Tiny(folder);
        VllmSession session =
            tiny.open(Dtype.FP32, "deterministic", true, "enable_prefix_caching", false)) {
      List<Generation> first = session.generate(requests(12)).join();
      List<Generation> again = session.generate(requests(12)).join();
      for (int i = 0; i < first.size(); i++) {
        assertArrayEquals(first.get(i).tokens(), again.get(i).tokens());
        assertArrayEquals(first.get(i).logProbs(), again.get(i).logProbs(), 0);
      }
    }
  }
}
