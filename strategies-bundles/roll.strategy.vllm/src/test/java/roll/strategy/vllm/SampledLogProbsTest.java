package roll.strategy.vllm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.Sampling;

/**
 * Tests the error of bf16 log-probs relative to f32 in a random model of 28 layers: equal for
 * sampling and scoring, as {@link RandomQwen2#error} predicts, and unbiased.
 */
final class SampledLogProbsTest {
  private static final int SEQUENCES = 16;
  private static final int TOKENS = 24;

  /** The depth of Qwen2.5-7B, with a width that its vocabulary allows in a short test. */
  private static final RandomQwen2 MODEL = new RandomQwen2(28, 128, 640, 4, 2, Tiny.VOCABULARY);

  @Test
  void differByTheErrorOfBf16Alone(@TempDir Path folder) throws IOException {
    MODEL.describe(folder);
    List<GenerationRequest> requests =
        IntStream.range(0, SEQUENCES)
            .mapToObj(
                n ->
                    Tiny.request(
                        IntStream.range(0, 8).map(i -> 5 + (7 * n + 3 * i) % 100).toArray(),
                        Sampling.of(TOKENS),
                        n))
            .toList();
    try (Tiny tiny = new Tiny(folder);
        VllmSession session = tiny.open(Dtype.BF16)) {
      List<Generation> drawn = session.generate(requests).join();
      Responses responses = new Responses(requests, drawn);
      double[] exact = responses.exact(tiny.device, tiny.weights(1));
      double[] scored = responses.scored(session);
      assertEquals(SEQUENCES * TOKENS, exact.length);
      for (var found : Map.of("drawn", responses.drawn(), "scored", scored).entrySet()) {
        double error = Responses.distance(found.getValue(), exact);
        double mean =
            IntStream.range(0, exact.length)
                .mapToDouble(i -> found.getValue()[i] - exact[i])
                .average()
                .orElseThrow();
        String what = found.getKey() + ": error " + error + ", mean " + mean;
        assertTrue(error > MODEL.error() / 2 && error < 2 * MODEL.error(), what);
        assertTrue(Math.abs(mean) < 4 * MODEL.error() / Math.sqrt(exact.length), what);
      }
      double apart = Responses.distance(responses.drawn(), scored);
      assertTrue(apart < 2 * Math.sqrt(2) * MODEL.error(), "apart " + apart);
    }
  }
}
