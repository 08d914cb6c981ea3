package roll.strategy.vllm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.InferSession;
import roll.api.strategy.Sampling;

/** Pictures with speculative decoding. */
final class SpeculativeSeeingTest extends VllmSeeingTestBase {
  private boolean speculating = true;

  SpeculativeSeeingTest(@TempDir Path folder) throws IOException {
    super(folder, false);
  }

  @Override
  protected Map<String, Object> options() {
    Map<String, Object> options = new HashMap<>(super.options());
    if (speculating) {
      options.put("speculative_config", SpeculationTest.CONFIG);
    }
    return options;
  }

  @Test
  void responsesToPicturesAreTheSame() {
    List<GenerationRequest> requests =
        List.of(
            new GenerationRequest(prompt(), Sampling.greedy(40), List.of(), 1)
                .withPictures(pictures().subList(0, 1)));
    try (InferSession session = open()) {
      Generation found = session.generate(requests).join().getFirst();
      Map<String, Double> metrics = session.metrics();
      assertTrue(metrics.getOrDefault("vllm/spec_accepted_rate", 0.0) > 0, metrics::toString);
      speculating = false;
      try (InferSession plain = open()) {
        Generation expected = plain.generate(requests).join().getFirst();
        assertArrayEquals(expected.tokens(), found.tokens());
        assertArrayEquals(expected.logProbs(), found.logProbs(), 1e-4);
      }
    }
  }
}
