package roll.strategy.vllm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.Sampling;

/** Scaled embeddings and norms of 1 + w, whose weights begin at 0, in generation as in scoring. */
final class GemmaTest {
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatIsDrawnIsWhatIsScored(boolean reordered, @TempDir Path folder) throws IOException {
    for (String name : List.of("tokenizer.json", "tokenizer_config.json")) {
      Files.copy(Tiny.SHIPPED.resolve(name), folder.resolve(name));
    }
    Files.writeString(
        folder.resolve("config.json"),
        """
        {"model_type": "gemma", "vocab_size": %d, "hidden_size": 64, "intermediate_size": 96,
         "num_hidden_layers": 3, "num_attention_heads": 4, "head_dim": 16,
         "num_key_value_heads": 1, "max_position_embeddings": 256, "initializer_range": 0.15}
        """
            .formatted(Tiny.VOCABULARY));
    List<GenerationRequest> requests =
        IntStream.rangeClosed(1, 9)
            .mapToObj(
                n ->
                    Tiny.request(
                        IntStream.range(0, 5 * n).map(i -> 5 + (i * n) % 50).toArray(),
                        Sampling.of(20),
                        n))
            .toList();
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
}
