package roll.strategy.hf_infer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import roll.api.data.RandomStreams;
import roll.api.strategy.Sampling;
import roll.torch.Device;
import roll.torch.Kernels;

/** The sampling kernel against {@link ReferenceSampler}, over a fine grid of random numbers. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class SampleTest {
  private static final int VOCABULARY = 37;
  private static final int GRID = 4000;

  private final Device device = new Device(() -> Engine.getEngine("PyTorch"), 1);

  @AfterAll
  void close() {
    device.close();
  }

  private static float[] logits(long seed) {
    RandomGenerator random = RandomStreams.of(seed, "logits");
    float[] logits = new float[VOCABULARY];
    for (int i = 0; i < VOCABULARY; i++) {
      logits[i] = (float) (2 * random.nextGaussian());
    }
    return logits;
  }

  /** One token a grid cell; every second row is another model's, with other settings. */
  private long[] draw(float[] logits, Sampling sampling) {
    float[] rows = new float[2 * GRID * VOCABULARY];
    double[] uniforms = new double[2 * GRID];
    float[] temperature = new float[2 * GRID];
    long[] topK = new long[2 * GRID];
    float[] topP = new float[2 * GRID];
    for (int row = 0; row < 2 * GRID; row++) {
      boolean ours = row % 2 == 0;
      float[] from = ours ? logits : logits(row);
      System.arraycopy(from, 0, rows, row * VOCABULARY, VOCABULARY);
      int cell = row / 2;
      uniforms[row] = (cell + 0.5) / GRID;
      temperature[row] = ours ? (float) sampling.temperature() : row % 3;
      topK[row] = ours ? sampling.topK() : row % 5;
      topP[row] = ours ? (float) sampling.topP() : 1f / (1 + row % 4);
    }
    return device.call(
        () -> {
          List<String> source = List.of(Kernels.source(Wave.class, "sample.py"));
          try (Kernels kernels = Kernels.compile(device, Map.of(), source);
              NDManager owner = device.newManager()) {
            NDArray tokens =
                kernels
                    .call(
                        owner,
                        "choose",
                        owner.create(rows, new Shape(2L * GRID, VOCABULARY)),
                        owner.create(uniforms),
                        owner.create(temperature),
                        owner.create(topK),
                        owner.create(topP),
                        true,
                        true)
                    .singletonOrThrow();
            long[] all = tokens.toLongArray();
            long[] own = new long[GRID];
            Arrays.setAll(own, i -> all[2 * i]);
            return own;
          }
        });
  }

  private void assertDrawsByReference(float[] logits, Sampling sampling) {
    double[] probabilities =
        ReferenceSampler.probabilities(
            logits, sampling.temperature(), sampling.topK(), sampling.topP());
    long[] drawn = draw(logits, sampling);
    int[] counts = new int[VOCABULARY];
    for (long token : drawn) {
      counts[(int) token]++;
    }
    double sum = 0;
    for (int token = 0; token < VOCABULARY; token++) {
      // a grid of cells falls into an interval of length p as often as p says, but for the ends
      assertEquals(GRID * probabilities[token], counts[token], 1.01, "count of " + token);
      assertTrue(probabilities[token] > 0 || counts[token] == 0, "support at " + token);
      for (int i = 0; i < GRID; i++) {
        double uniform = (i + 0.5) / GRID;
        if (uniform > sum + 1e-5 && uniform < sum + probabilities[token] - 1e-5) {
          assertEquals(token, drawn[i], "token at " + uniform);
        }
      }
      sum += probabilities[token];
    }
  }

  @Test
  void temperatureAlone() {
    assertDrawsByReference(logits(1), new Sampling(1, 1, 0, 1));
    assertDrawsByReference(logits(2), new Sampling(0.3, 1, 0, 1));
    assertDrawsByReference(logits(3), new Sampling(2.5, 1, 0, 1));
  }

  @Test
  void topK() {
    assertDrawsByReference(logits(4), new Sampling(1, 1, 1, 1));
    assertDrawsByReference(logits(5), new Sampling(1.2, 1, 5, 1));
    assertDrawsByReference(logits(6), new Sampling(1, 1, 36, 1));
    assertDrawsByReference(logits(7), new Sampling(1, 1, 1000, 1));
  }

  @Test
  void topP() {
    assertDrawsByReference(logits(8), new Sampling(1, 0.9, 0, 1));
    assertDrawsByReference(logits(9), new Sampling(0.7, 0.5, 0, 1));
    assertDrawsByReference(logits(10), new Sampling(3, 1e-6, 0, 1));
  }

  @Test
  void topPCountsWhatTopKLeft() {
    assertDrawsByReference(logits(11), new Sampling(1, 0.8, 4, 1));
    assertDrawsByReference(logits(12), new Sampling(1.7, 0.6, 12, 1));
  }

  @Test
  void tiesOfTopKAreAllKept() {
    float[] logits = new float[VOCABULARY];
    Arrays.fill(logits, -1);
    logits[3] = 2;
    logits[20] = 1;
    logits[30] = 1;
    assertDrawsByReference(logits, new Sampling(1, 1, 2, 1));
    assertEquals(3, Arrays.stream(draw(logits, new Sampling(1, 1, 2, 1))).distinct().count());
  }
}
