package roll.torch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.model.DecoderSpec;
import roll.api.strategy.Scores;
import roll.api.strategy.TokenBatch;

/** Scores and gradients of small random models. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class DecoderTest {
  private final Device device = Device.cpu();

  @AfterAll
  void close() {
    device.close();
  }

  /** Samples of 7, 3 and 5 tokens; the last tokens of each are scored. */
  private static TokenBatch batch() {
    int[] offsets = {0, 7, 10, 15};
    int[] tokens = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9};
    boolean[] scored = new boolean[15];
    for (int t : new int[] {2, 3, 6, 8, 9, 11, 12, 13, 14}) {
      scored[t] = true;
    }
    return new TokenBatch(offsets, tokens, scored);
  }

  private static TokenBatch single(TokenBatch batch, int sample) {
    int from = batch.offsets()[sample];
    int to = batch.offsets()[sample + 1];
    return new TokenBatch(
        new int[] {0, to - from},
        java.util.Arrays.copyOfRange(batch.tokens(), from, to),
        java.util.Arrays.copyOfRange(batch.scored(), from, to));
  }

  @Test
  void paddingDoesNotChangeScores() {
    DecoderSpec spec = Shapes.decoder(11, 16, 24, 2, 4, 2, true, true);
    device.call(
        () -> {
          try (Parameters parameters = Parameters.random(device, spec, 1);
              Decoder decoder = new Decoder(device, spec, Dtype.FP32, 16)) {
            TokenBatch batch = batch();
            Scores together = new Scorer(device, decoder, 1000).score(parameters, batch);
            for (int sample = 0; sample < batch.samples(); sample++) {
              TokenBatch alone = single(batch, sample);
              Scores scores = new Scorer(device, decoder, 1000).score(parameters, alone);
              for (int t = 0; t < alone.tokens().length; t++) {
                int cell = batch.offsets()[sample] + t;
                assertEquals(scores.logProbs()[t], together.logProbs()[cell], 1e-5);
                assertEquals(scores.entropies()[t], together.entropies()[cell], 1e-5);
              }
            }
          }
          return null;
        });
  }
}
