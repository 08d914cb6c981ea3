package roll.sampling;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import roll.api.data.RandomStreams;
import roll.api.model.VisionSpec;
import roll.api.strategy.Sampling;
import roll.testkit.ReferenceSampler;

/** The sampling kernel against {@link ReferenceSampler}, over a fine grid of random numbers. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class SampleTest {
  private static final int VOCABULARY = 37;
  private static final int GRID = 4000;
  private static final Sampling WARM = Sampling.of(4);

  @AutoClose private final Draws draws = new Draws();

  private static float[] logits(long seed) {
    RandomGenerator random = RandomStreams.of(seed, "logits");
    float[] logits = new float[VOCABULARY];
    for (int i = 0; i < VOCABULARY; i++) {
      logits[i] = (float) (2 * random.nextGaussian());
    }
    return logits;
  }

  /**
   * A card draws by sums of integers: the first token whose sum of probabilities in units of 2^-52
   * is greater than the random number times that of all.
   */
  @Test
  void sumsOfWholeNumbersAreThoseOfFractions() {
    float[] few = {0.25f, 0x1p-30f, 0x1p-60f, 0.5f, 0.25f - 0x1p-20f, 0};
    double all = 1 + 0x1p-30 - 0x1p-20;
    assertArrayEquals(
        new long[] {0, 0, 1, 3, 3, 4, 4},
        draws.exactChoices(
            few,
            new double[] {
              0,
              0.24999 / all,
              (0.25 + 0x1p-31) / all,
              0.2501 / all,
              0.7499 / all,
              0.7501 / all,
              1 - 0x1p-53
            }));
    float[] many = new float[1000];
    double[] sums = new double[many.length];
    double sum = 0;
    for (int i = 0; i < many.length; i++) {
      many[i] = 1 / (24f + 8 * i);
      sum += Math.floor(many[i] * 0x1p52);
      sums[i] = sum;
    }
    double[] uniforms = RandomStreams.of(6, "uniforms").doubles(200).toArray();
    long[] expected = new long[uniforms.length];
    for (int row = 0; row < uniforms.length; row++) {
      while (sums[(int) expected[row]] <= uniforms[row] * sum) {
        expected[row]++;
      }
    }
    assertArrayEquals(expected, draws.exactChoices(many, uniforms));
  }

  /** Image placeholders are never sampled, even if they are by far the likeliest. */
  @Test
  void partsOfPicturesAreNotDrawn() {
    VisionSpec vision = new VisionSpec(3, 5, 1, 8, 2, 8, 3, 2, 14, 2, 112, Set.of());
    try (Draws seeing = new Draws(vision)) {
      float[] logits = logits(4);
      logits[3] = 90;
      logits[5] = 80;
      Draws.Row row = new Draws.Row(logits, WARM);
      float[] processed = seeing.processed(row);
      for (int i = 0; i < logits.length; i++) {
        assertEquals(i == 3 || i == 5 ? Float.NEGATIVE_INFINITY : logits[i], processed[i]);
      }
      long drawn = seeing.draw(List.of(row), new double[] {0.5}).token()[0];
      assertTrue(drawn != 3 && drawn != 5);
      assertEquals(3, draws.draw(List.of(row), new double[] {0.5}).token()[0]);
    }
  }

  /** Rows with every setting in many combinations, to stand between ours. */
  private static Draws.Row other(int n) {
    Sampling sampling =
        new Sampling(
            n % 3, n % 5, 1.0 / (1 + n % 4), n % 6 / 7.0, 1 + n % 2, 9, 0, List.of(), List.of());
    if (n % 4 == 1) {
      sampling = sampling.withLogitBias(Map.of(n % VOCABULARY, 1.5, (n + 5) % VOCABULARY, -9.0));
    }
    if (n % 5 == 1) {
      sampling = sampling.withAllowedTokenIds(List.of(n % VOCABULARY, 8, 21));
    }
    int[] one = {n % VOCABULARY};
    return n % 7 == 0
        ? new Draws.Row(logits(n), sampling, one, new int[0], new int[] {n % VOCABULARY, 3})
        : new Draws.Row(logits(n), sampling.withMinNewTokens(n % 2), one, one, new int[0]);
  }

  /** One token a grid cell; every second row is another model's, with other settings. */
  private Draws.Drawn draw(Draws.Row row) {
    List<Draws.Row> rows = new ArrayList<>();
    double[] uniforms = new double[2 * GRID];
    for (int cell = 0; cell < GRID; cell++) {
      rows.add(row);
      rows.add(other(cell));
      uniforms[2 * cell] = (cell + 0.5) / GRID;
      uniforms[2 * cell + 1] = uniforms[2 * cell];
    }
    Draws.Drawn all = draws.draw(rows, uniforms);
    long[] tokens = new long[GRID];
    float[] logProbs = new float[GRID];
    for (int cell = 0; cell < GRID; cell++) {
      tokens[cell] = all.token()[2 * cell];
      logProbs[cell] = all.logProb()[2 * cell];
    }
    return new Draws.Drawn(tokens, logProbs);
  }

  private static Set<Integer> set(int[] tokens) {
    return Arrays.stream(tokens).boxed().collect(Collectors.toSet());
  }

  private static double[] reference(Draws.Row row) {
    Set<Integer> banned = row.sampling().minNewTokens() > 0 ? set(row.stops()) : Set.of();
    return ReferenceSampler.probabilities(
        row.logits(), row.sampling(), set(row.prompt()), banned, set(row.choices()));
  }

  private void assertDrawsByReference(Draws.Row row) {
    double[] probabilities = reference(row);
    Draws.Drawn drawn = draw(row);
    int[] counts = new int[VOCABULARY];
    for (int i = 0; i < GRID; i++) {
      int token = (int) drawn.token()[i];
      counts[token]++;
      assertEquals(Math.log(probabilities[token]), drawn.logProb()[i], 1e-5);
    }
    double sum = 0;
    for (int token = 0; token < VOCABULARY; token++) {
      // a grid of cells falls into an interval of length p as often as p says, except for the ends
      assertEquals(GRID * probabilities[token], counts[token], 1.01, "count of " + token);
      assertTrue(probabilities[token] > 0 || counts[token] == 0, "support at " + token);
      for (int i = 0; i < GRID; i++) {
        double uniform = (i + 0.5) / GRID;
        if (uniform > sum + 1e-5 && uniform < sum + probabilities[token] - 1e-5) {
          assertEquals(token, drawn.token()[i], "token at " + uniform);
        }
      }
      sum += probabilities[token];
    }
  }

  private void assertDrawsByReference(long seed, Sampling sampling) {
    assertDrawsByReference(new Draws.Row(logits(seed), sampling));
  }

  @Test
  void temperatureAlone() {
    assertDrawsByReference(1, WARM);
    assertDrawsByReference(2, WARM.withTemperature(0.3));
    assertDrawsByReference(3, WARM.withTemperature(2.5));
    assertDrawsByReference(3, WARM.withTemperature(0));
  }

  @Test
  void topK() {
    assertDrawsByReference(4, WARM.withTopK(1));
    assertDrawsByReference(5, WARM.withTemperature(1.2).withTopK(5));
    assertDrawsByReference(6, WARM.withTopK(36));
    assertDrawsByReference(7, WARM.withTopK(1000));
  }

  @Test
  void topP() {
    assertDrawsByReference(8, WARM.withTopP(0.9));
    assertDrawsByReference(9, WARM.withTemperature(0.7).withTopP(0.5));
    assertDrawsByReference(10, WARM.withTemperature(3).withTopP(1e-6));
  }

  @Test
  void minP() {
    assertDrawsByReference(11, WARM.withMinP(0.1));
    assertDrawsByReference(12, WARM.withTemperature(2).withMinP(0.4));
    assertDrawsByReference(13, WARM.withMinP(1));
  }

  @Test
  void eachFilterCountsWhatTheOneBeforeLeft() {
    assertDrawsByReference(14, WARM.withTopP(0.8).withTopK(4));
    assertDrawsByReference(15, WARM.withTemperature(1.7).withTopP(0.6).withTopK(12));
    assertDrawsByReference(16, WARM.withTopK(9).withTopP(0.7).withMinP(0.3));
    assertDrawsByReference(17, WARM.withTemperature(0.6).withTopP(0.95).withMinP(0.02));
  }

  @Test
  void repetitionPenalty() {
    for (double temperature : new double[] {0, 0.8}) {
      Sampling sampling = WARM.withTemperature(temperature).withRepetitionPenalty(1.7);
      int[] prompt = IntStream.range(0, VOCABULARY / 2).map(i -> 2 * i).toArray();
      int[] nothing = new int[0];
      assertDrawsByReference(new Draws.Row(logits(18), sampling, prompt, nothing, nothing));
      sampling = sampling.withRepetitionPenalty(0.6).withTopK(7);
      assertDrawsByReference(new Draws.Row(logits(19), sampling, prompt, nothing, nothing));
    }
  }

  @Test
  void stopTokensWaitForTheLeastLength() {
    int[] stops = {0, 5, 36};
    for (double temperature : new double[] {0, 1.1}) {
      Sampling sampling = WARM.withTemperature(temperature).withMinNewTokens(1);
      assertDrawsByReference(new Draws.Row(logits(20), sampling, new int[] {1}, stops, new int[0]));
      assertDrawsByReference(
          new Draws.Row(
              logits(20), sampling.withMinNewTokens(0), new int[] {1}, stops, new int[0]));
    }
  }

  @Test
  void choicesAlone() {
    int[] choices = {0, 4, 17, 36};
    for (double temperature : new double[] {0, 0.7}) {
      Sampling sampling = WARM.withTemperature(temperature);
      assertDrawsByReference(
          new Draws.Row(logits(21), sampling, new int[] {1}, new int[0], choices));
      assertDrawsByReference(
          new Draws.Row(logits(22), sampling.withTopP(0.8), new int[] {4}, new int[0], choices));
      assertDrawsByReference(
          new Draws.Row(logits(23), sampling, new int[] {1}, new int[0], new int[] {8}));
    }
  }

  @Test
  void biasAndAllowedTokens() {
    for (double temperature : new double[] {0, 0.7}) {
      Sampling sampling =
          WARM.withTemperature(temperature).withLogitBias(Map.of(0, 2.5, 17, -100.0, 36, 1.25));
      assertDrawsByReference(24, sampling);
      assertDrawsByReference(25, sampling.withTopP(0.8).withTopK(9));
      assertDrawsByReference(26, sampling.withAllowedTokenIds(List.of(0, 5, 17, 30)));
      assertDrawsByReference(27, sampling.withAllowedTokenIds(List.of(36)));
    }
  }

  @Test
  void tiesOfTopKAndTopPAreAllKept() {
    float[] logits = new float[VOCABULARY];
    Arrays.fill(logits, -1);
    logits[3] = 2;
    logits[20] = 1;
    logits[30] = 1;
    for (Sampling sampling : List.of(WARM.withTopK(2), WARM.withTopP(0.4))) {
      Draws.Row row = new Draws.Row(logits, sampling);
      assertDrawsByReference(row);
      assertArrayEquals(
          new long[] {3, 20, 30}, Arrays.stream(draw(row).token()).distinct().sorted().toArray());
    }
  }
}
