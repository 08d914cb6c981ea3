package roll.sampling;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import roll.api.strategy.Sampling;

/** Each setting on four words, with numbers computed by hand. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ProcessorsTest {
  private static final float OUT = Float.NEGATIVE_INFINITY;
  private static final Sampling WARM = Sampling.of(4);
  private static final int[] NONE = {};

  @AutoClose private final Draws draws = new Draws();

  /** Logits whose softmax these numbers are. */
  private static float[] logs(double... probabilities) {
    float[] logits = new float[probabilities.length];
    for (int i = 0; i < logits.length; i++) {
      logits[i] = (float) Math.log(probabilities[i]);
    }
    return logits;
  }

  /** The probability of each word, read from the log-probs of a fine grid of draws; 0 if none. */
  private double[] probabilities(Draws.Row row) {
    int grid = 400;
    double[] uniforms = IntStream.range(0, grid).mapToDouble(i -> (i + 0.5) / grid).toArray();
    Draws.Drawn drawn = draws.draw(IntStream.range(0, grid).mapToObj(i -> row).toList(), uniforms);
    double[] probabilities = new double[row.logits().length];
    for (int i = 0; i < grid; i++) {
      probabilities[(int) drawn.token()[i]] = Math.exp(drawn.logProb()[i]);
    }
    return probabilities;
  }

  private void assertProbabilities(Sampling sampling, double... expected) {
    float[] logits = logs(0.5, 0.25, 0.15, 0.1);
    assertArrayEquals(expected, probabilities(new Draws.Row(logits, sampling)), 1e-6);
  }

  @Test
  void filters() {
    assertProbabilities(WARM, 0.5, 0.25, 0.15, 0.1);
    // squares 0.25, 0.0625, 0.0225, 0.01 of sum 0.345
    assertProbabilities(
        WARM.withTemperature(0.5), 0.25 / 0.345, 0.0625 / 0.345, 0.0225 / 0.345, 0.01 / 0.345);
    assertProbabilities(WARM.withTopK(2), 2 / 3.0, 1 / 3.0, 0, 0);
    // 0.1 + 0.15 are not more than 1 − 0.7, with 0.25 they would be
    assertProbabilities(WARM.withTopP(0.7), 2 / 3.0, 1 / 3.0, 0, 0);
    assertProbabilities(WARM.withTopP(0.8), 5 / 9.0, 2.5 / 9, 1.5 / 9, 0);
    // at least 0.28 · 0.5 = 0.14
    assertProbabilities(WARM.withMinP(0.28), 5 / 9.0, 2.5 / 9, 1.5 / 9, 0);
    // of the three 0.556, 0.278, 0.167 that top-k leaves, the last is not more than 1 − 0.8
    assertProbabilities(WARM.withTopK(3).withTopP(0.8), 2 / 3.0, 1 / 3.0, 0, 0);
  }

  @Test
  void theLikeliestIsCertain() {
    Draws.Row row = new Draws.Row(logs(0.1, 0.2, 0.4, 0.3), Sampling.greedy(4));
    Draws.Drawn drawn = draws.draw(List.of(row), new double[] {0.01});
    assertArrayEquals(new long[] {2}, drawn.token());
    assertArrayEquals(new float[] {0}, drawn.logProb());
  }

  @Test
  void whatWasSeenIsPenalised() {
    float[] logits = {2, 1, -1, -3};
    Sampling sampling = WARM.withRepetitionPenalty(2);
    int[] prompt = {3, 0, 3};
    assertArrayEquals(
        new float[] {1, 1, -1, -6},
        draws.processed(new Draws.Row(logits, sampling, prompt, NONE, NONE)));
  }

  @Test
  void stopTokensAndWhatIsNoChoiceAreLeftOut() {
    float[] logits = {2, 1, -1, -3};
    int[] stops = {1, 3};
    assertArrayEquals(
        new float[] {2, OUT, -1, OUT},
        draws.processed(new Draws.Row(logits, WARM.withMinNewTokens(1), NONE, stops, NONE)));
    assertArrayEquals(
        logits,
        draws.processed(new Draws.Row(logits, WARM.withMinNewTokens(0), NONE, stops, NONE)));
    assertArrayEquals(
        new float[] {OUT, 1, OUT, -3},
        draws.processed(new Draws.Row(logits, WARM, NONE, NONE, new int[] {3, 1})));
  }

  @Test
  void biasIsAddedBeforeThePenalty() {
    float[] logits = {2, 1, -1, -3};
    Sampling sampling =
        WARM.withRepetitionPenalty(2).withLogitBias(Map.of(0, -3.5, 1, -100.0, 2, 4.0));
    assertArrayEquals(
        new float[] {-3, -99, 1.5f, -3},
        draws.processed(new Draws.Row(logits, sampling, new int[] {0, 2}, NONE, NONE)));
    assertArrayEquals(
        new float[] {2, 1, 99, -3},
        draws.processed(new Draws.Row(logits, WARM.withLogitBias(Map.of(2, 100.0)))));
  }

  @Test
  void onlyAllowedTokensAreSampled() {
    assertProbabilities(WARM.withAllowedTokenIds(List.of(3, 1)), 0, 2.5 / 3.5, 0, 1 / 3.5);
    assertProbabilities(
        WARM.withAllowedTokenIds(List.of(3, 1)).withLogitBias(Map.of(3, Math.log(4))),
        0,
        2.5 / 6.5,
        0,
        4 / 6.5);
  }

  @Test
  void guidedLogProbsAreAmongTheChoices() {
    Draws.Row row = new Draws.Row(logs(0.5, 0.25, 0.15, 0.1), WARM, NONE, NONE, new int[] {1, 3});
    assertArrayEquals(new double[] {0, 2.5 / 3.5, 0, 1 / 3.5}, probabilities(row), 1e-6);
  }

  @Test
  void settingsThatAllRowsHaveTurnedOffAreEmpty() {
    Draws.Row off = new Draws.Row(logs(0.5, 0.5), WARM);
    assertEquals(List.of(SamplerInput.STOPS, SamplerInput.TEMPERATURE), draws.given(List.of(off)));
    Sampling greedy = Sampling.greedy(4).withTopK(3).withTopP(0.5).withMinP(0.5);
    Draws.Row cold = new Draws.Row(logs(0.5, 0.5), greedy);
    assertEquals(List.of(SamplerInput.STOPS), draws.given(List.of(cold)));
  }
}
