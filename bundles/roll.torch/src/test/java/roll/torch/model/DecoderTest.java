package roll.torch.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Trait;
import roll.api.strategy.Scores;
import roll.api.strategy.TokenBatch;
import roll.batching.Cutting;
import roll.testkit.SmallDecoder;
import roll.torch.Device;
import roll.torch.Precision;

/** Scores of small random models. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class DecoderTest {
  private static final DecoderSpec SPEC =
      SmallDecoder.decoder(
          11, 16, 24, 2, 4, 2, Set.of(Trait.QUERY_KEY_VALUE_BIAS, Trait.TIED_HEAD));

  @AutoClose private final Device device = Device.cpu(1);

  private Scores score(long seed, Dtype dtype, TokenBatch batch, int budget) {
    return score(seed, Precision.of(dtype), batch, budget);
  }

  private Scores score(long seed, Precision precision, TokenBatch batch, int budget) {
    return score(seed, precision, batch, new Cutting.Tokens(budget));
  }

  private Scores score(long seed, Precision precision, TokenBatch batch, Cutting cutting) {
    return device.call(
        () -> {
          try (Parameters parameters = Parameters.random(device, SPEC, seed);
              Decoder decoder = new Decoder(device, SPEC, precision, 16)) {
            return new Scorer(device, decoder, cutting).score(parameters, batch);
          }
        });
  }

  private static TokenBatch single(TokenBatch batch, int sample) {
    int from = batch.offsets()[sample];
    int to = batch.offsets()[sample + 1];
    return new TokenBatch(
        new int[] {0, to - from},
        Arrays.copyOfRange(batch.tokens(), from, to),
        Arrays.copyOfRange(batch.scored(), from, to));
  }

  @Test
  void paddingDoesNotChangeScores() {
    TokenBatch batch = SmallDecoder.batch();
    Scores together = score(1, Dtype.FP32, batch, 1000);
    for (int sample = 0; sample < batch.samples(); sample++) {
      TokenBatch alone = single(batch, sample);
      Scores scores = score(1, Dtype.FP32, alone, 1000);
      for (int t = 0; t < alone.tokens().length; t++) {
        int cell = batch.offsets()[sample] + t;
        assertEquals(scores.logProbs()[t], together.logProbs()[cell], 1e-5);
        assertEquals(scores.entropies()[t], together.entropies()[cell], 1e-5);
      }
    }
  }

  @Test
  void packingDoesNotChangeScores() {
    TokenBatch batch = SmallDecoder.batch();
    Precision precision = Precision.of(Dtype.FP32);
    Scores padded = score(1, Dtype.FP32, batch, 1000);
    for (int tokens : new int[] {1, 8, 10, 1000}) {
      for (boolean balanced : new boolean[] {false, true}) {
        Scores packed = score(1, precision, batch, new Cutting.Packed(tokens, 1, balanced));
        assertArrayEquals(padded.logProbs(), packed.logProbs(), 1e-5);
        assertArrayEquals(padded.entropies(), packed.entropies(), 1e-5);
      }
    }
  }

  /** 15 tokens in one row, where the model has but 7 positions. */
  @Test
  void positionsBeginAnewWithEverySample() {
    TokenBatch batch = SmallDecoder.batch();
    Cutting packed = new Cutting.Packed(100, 1, false);
    device.call(
        () -> {
          try (Parameters parameters = Parameters.random(device, SPEC, 1);
              Decoder decoder = new Decoder(device, SPEC, Precision.of(Dtype.FP32), 7)) {
            double[] scores =
                new Scorer(device, decoder, packed).score(parameters, batch).logProbs();
            assertArrayEquals(score(1, Dtype.FP32, batch, 1).logProbs(), scores, 1e-5);
          }
          return null;
        });
  }

  @Test
  void aSmallBudgetDoesNotChangeScores() {
    Scores whole = score(1, Dtype.FP32, SmallDecoder.batch(), 1000);
    Scores parts = score(1, Dtype.FP32, SmallDecoder.batch(), 1);
    assertArrayEquals(whole.logProbs(), parts.logProbs(), 1e-5);
    assertArrayEquals(whole.entropies(), parts.entropies(), 1e-5);
  }

  @Test
  void cellsThatAreNotScoredAreZero() {
    TokenBatch batch = SmallDecoder.batch();
    Scores scores = score(1, Dtype.FP32, batch, 1000);
    for (int t = 0; t < batch.tokens().length; t++) {
      assertEquals(batch.scored()[t], scores.logProbs()[t] < 0);
      assertEquals(batch.scored()[t], scores.entropies()[t] > 0);
    }
  }

  @Test
  void theSameSeedGivesTheSameModel() {
    Scores first = score(7, Dtype.FP32, SmallDecoder.batch(), 1000);
    Scores second = score(7, Dtype.FP32, SmallDecoder.batch(), 1000);
    Scores other = score(8, Dtype.FP32, SmallDecoder.batch(), 1000);
    assertArrayEquals(first.logProbs(), second.logProbs());
    assertNotEquals(first.logProbs()[2], other.logProbs()[2]);
  }

  @Test
  void bf16IsCloseToF32() {
    Scores exact = score(1, Dtype.FP32, SmallDecoder.batch(), 1000);
    Scores rounded = score(1, Dtype.BF16, SmallDecoder.batch(), 1000);
    assertArrayEquals(exact.logProbs(), rounded.logProbs(), 0.05);
    assertArrayEquals(exact.entropies(), rounded.entropies(), 0.05);
    assertTrue(Math.abs(exact.logProbs()[2] - rounded.logProbs()[2]) > 1e-7, "bf16 is not used");
  }

  @Test
  void wideLogitsAreCloser() {
    double[] exact = score(1, Dtype.FP32, SmallDecoder.batch(), 1000).logProbs();
    double[] rounded = score(1, Dtype.BF16, SmallDecoder.batch(), 1000).logProbs();
    Precision wide = new Precision(Dtype.BF16, true, 1);
    double[] closer = score(1, wide, SmallDecoder.batch(), 1000).logProbs();
    double far = IntStream.range(0, 15).mapToDouble(t -> Math.abs(exact[t] - rounded[t])).sum();
    double near = IntStream.range(0, 15).mapToDouble(t -> Math.abs(exact[t] - closer[t])).sum();
    assertTrue(near > 1e-6 && near < far, () -> near + " " + far);
  }
}
