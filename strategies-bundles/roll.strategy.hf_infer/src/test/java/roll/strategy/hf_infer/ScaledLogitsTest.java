package roll.strategy.hf_infer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.config.ModelConfig;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.InferSession;
import roll.api.strategy.Sampling;
import roll.testkit.ReferenceLayers;

/** Log-probs of logits that are divided by a temperature, against {@link ReferenceDecoder}. */
final class ScaledLogitsTest {
  private static final double TEMPERATURE = 0.7;

  private static double[][] divided(double[][] logits) {
    return Arrays.stream(logits)
        .map(row -> Arrays.stream(row).map(logit -> logit / TEMPERATURE).toArray())
        .toArray(double[][]::new);
  }

  /** Whatever a response is drawn with; where that is the same, both log-probs of a token agree. */
  @Test
  void scoresAndResponsesAreOfDividedLogits(@TempDir Path folder) throws IOException {
    String qwen2 =
        """
        {"model_type": "qwen2", "hidden_size": 24, "num_attention_heads": 4,
         "num_key_value_heads": 2, "rope_theta": 500.0, "tie_word_embeddings": false}
        """;
    try (RandomModel model = new RandomModel(folder, qwen2)) {
      ModelConfig plain = ModelConfig.of(folder, Dtype.FP32);
      ModelConfig scaled = plain.withTemperature(TEMPERATURE);
      try (InferSession session = Sessions.open(model, scaled, List.of(), 2, Map.of());
          InferSession other = Sessions.open(model, plain, List.of(), 2, Map.of())) {
        Sessions.assertScored(divided(model.reference().logits(Sessions.TOKENS)), session);
        int[] prompt = Arrays.copyOf(Sessions.TOKENS, 9);
        for (double temperature : new double[] {0, TEMPERATURE, 1}) {
          Sampling sampling = Sampling.of(20).withTemperature(temperature);
          var requests = List.of(new GenerationRequest(prompt, sampling, List.of(), 3));
          Generation written = session.generate(requests).join().getFirst();
          assertArrayEquals(
              other.generate(requests).join().getFirst().tokens(), written.tokens(), "drawn alike");
          int[] all =
              IntStream.concat(Arrays.stream(prompt), Arrays.stream(written.tokens())).toArray();
          double[][] logits = divided(model.reference().logits(all));
          for (int i = 0; i < written.tokens().length; i++) {
            double[] row = logits[prompt.length + i - 1];
            double expected = row[written.tokens()[i]] - ReferenceLayers.logSum(row);
            assertEquals(expected, written.logProbs()[i], 1e-4);
          }
          if (temperature == TEMPERATURE) {
            assertArrayEquals(written.samplingLogProbs(), written.logProbs(), 1e-5);
          }
        }
      }
    }
  }
}
