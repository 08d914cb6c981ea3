package roll.torch.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.data.RandomStreams;
import roll.api.model.DecoderSpec;
import roll.api.model.VisionSpec;
import roll.testkit.SmallDecoder;
import roll.torch.Device;
import roll.torch.Kernels;
import roll.torch.Precision;
import roll.torch.training.ParameterGradients;

/** The head over the vocabulary of Qwen2.5 against its formulas in 64 bits. */
class TokenHeadTest {
  private static final int WORDS = 151_936;
  private static final int WIDTH = 4;

  /** Two chunks of 110 and 10 rows. */
  private static final int ROWS = 120;

  /** Two rows, of which the first sees the first column of the weights and the second nothing. */
  private static final float[] FIRST_COLUMN = {1, 0, 0, 0, 0, 0, 0, 0};

  private static final DecoderSpec THREE_WORDS =
      SmallDecoder.decoder(3, WIDTH, 4, 1, 1, 1, Set.of());

  private final RandomGenerator random = RandomStreams.of(1, "head");
  private final float[] rows = floats(ROWS * WIDTH, 3);
  private final float[] byLogProb = floats(ROWS, 1);
  private final float[] byEntropy = floats(ROWS, 1);
  private final long[] targets = random.longs(ROWS, 0, WORDS).toArray();

  private float[] floats(int count, double scale) {
    float[] floats = new float[count];
    for (int i = 0; i < count; i++) {
      floats[i] = (float) (scale * random.nextGaussian());
    }
    return floats;
  }

  private static float[] floats(double[] doubles) {
    float[] floats = new float[doubles.length];
    for (int i = 0; i < doubles.length; i++) {
      floats[i] = (float) doubles[i];
    }
    return floats;
  }

  /** Returns the device of the head, to be closed. */
  Device device() {
    return Device.cpu(1);
  }

  @Test
  void agreesWithTheFormulas() {
    DecoderSpec spec = SmallDecoder.decoder(WORDS, WIDTH, 4, 1, 1, 1, Set.of());
    try (Device device = device()) {
      device.call(
          () -> {
            try (Parameters parameters = Parameters.random(device, spec, 2);
                ParameterGradients gradients = new ParameterGradients(device, parameters);
                Decoder decoder = new Decoder(device, spec, Precision.of(Dtype.FP32), 16);
                NDManager manager = device.newManager()) {
              compare(new TokenHead(decoder.kernels(), WORDS), parameters, gradients, manager);
            }
            return true;
          });
    }
  }

  /** −Σ p·log p of logits 1, 2, 3: log(e + e² + e³) − 2.5752104 = .832396; of equal ones: log 3. */
  @Test
  void entropiesOfTheWorkedExample() {
    assertArrayEquals(new float[] {.832396f, 1.098612f}, workedExample(1), 2e-6f);
  }

  /** 0.0900306² + 0.2447285² + 0.6652409² = 0.5105434, and 3 / 3². */
  @Test
  void squaredProbabilitiesOfTheWorkedExample() {
    assertArrayEquals(new float[] {.5105434f, 1f / 3}, workedExample(2), 2e-6f);
  }

  /** Logits .2, −.3, 1 against 0, .5, .4, and equal ones against themselves. */
  @Test
  void divergencesOfTheWorkedExample() {
    float[] found =
        divergences(THREE_WORDS, new float[] {.2f, -.3f, 1}, 1, new float[] {0, .5f, .4f});
    assertArrayEquals(new float[] {.151451f, 0}, found, 2e-6f);
    float[] halved =
        divergences(THREE_WORDS, new float[] {.4f, -.6f, 2}, 2, new float[] {0, 1, .8f});
    assertArrayEquals(found, halved, 2e-6f);
  }

  private float[] divergences(
      DecoderSpec spec, float[] logits, double temperature, float[] others) {
    return onThreeWords(
        spec,
        logits,
        temperature,
        (kernels, parameters, manager) ->
            new TokenHead(kernels, 3)
                .divergences(
                    manager,
                    manager.create(FIRST_COLUMN, new Shape(2, WIDTH)),
                    parameters.head().singletonOrThrow(),
                    manager.create(new float[] {1, 0}, new Shape(2, 1)),
                    manager.create(others, new Shape(3, 1))));
  }

  /**
   * Logits 1, 2, 3 at temperature 2 are .5, 1, 1.5: log p of the first is .5 − log(e^.5 + e +
   * e^1.5) = −1.680270, −Σ p·log p = 1.020191, Σ p² = .385608.
   */
  @Test
  void logitsAreDividedByTheTemperature() {
    float log3 = (float) Math.log(3);
    assertArrayEquals(new float[] {-1.680270f, -log3}, workedExample(0, 2), 2e-6f);
    assertArrayEquals(new float[] {1.020191f, log3}, workedExample(1, 2), 2e-6f);
    assertArrayEquals(new float[] {.385608f, 1f / 3}, workedExample(2, 2), 2e-6f);
  }

  /**
   * Logits 1 and 3, since 2 is an image placeholder: log p of the first is 1 − log(e + e³) =
   * −2.126928, −Σ p·log p = .365334, Σ p² = .790013; equal ones: log 2.
   */
  @Test
  void partsOfPicturesHaveNoPartOfTheDistribution() {
    VisionSpec vision = new VisionSpec(1, 1, 1, 8, 2, 8, 1, 1, 2, 2, 4, Set.of());
    DecoderSpec sees = THREE_WORDS.seeing(vision);
    float log2 = (float) Math.log(2);
    assertArrayEquals(new float[] {-2.126928f, -log2}, workedExample(sees, 0, 1), 2e-6f);
    assertArrayEquals(new float[] {.365334f, log2}, workedExample(sees, 1, 1), 2e-6f);
    assertArrayEquals(new float[] {.790013f, .5f}, workedExample(sees, 2, 1), 2e-6f);
    float[] divergence = divergences(sees, new float[] {1, 2, 3}, 1, new float[] {0, 9, 1});
    assertArrayEquals(new float[] {.067131f, 0}, divergence, 2e-6f);
  }

  /**
   * The first row has p = (.09003057, .24472847, .66524096). If the derivatives by its log-prob and
   * entropy are 1 and 0, the gradient of its logits is (1 - p0, -p1, -p2). That of its first number
   * is 1 - p0 - 2 p1 - 3 p2 = -1.575210, with log-probs that are kept or computed again.
   */
  @Test
  void derivativesByEntropiesMayBeZero() {
    for (long keep : new long[] {0, 6}) {
      float[] found =
          onThreeWords(
              THREE_WORDS,
              new float[] {1, 2, 3},
              1,
              (kernels, parameters, manager) -> {
                TokenHead head = new TokenHead(kernels, 3, 6, keep);
                NDArray rows = manager.create(FIRST_COLUMN, new Shape(2, WIDTH));
                NDArray targets = manager.create(new long[2]);
                Head.Output output = head.forward(manager, parameters.head(), rows, targets, true);
                NDList by =
                    new NDList(manager.create(new float[] {1, 0}), manager.zeros(new Shape(2)));
                return head.backward(manager, parameters.head(), List.of(new NDList()), output, by);
              });
      assertEquals(-1.575210f, found[0], 2e-6f);
      assertArrayEquals(new float[WIDTH], Arrays.copyOfRange(found, WIDTH, 2 * WIDTH), 1e-9f);
    }
  }

  private float[] workedExample(int column) {
    return workedExample(column, 1);
  }

  private float[] workedExample(int column, double temperature) {
    return workedExample(THREE_WORDS, column, temperature);
  }

  private float[] workedExample(DecoderSpec spec, int column, double temperature) {
    return onThreeWords(
        spec,
        new float[] {1, 2, 3},
        temperature,
        (kernels, parameters, manager) -> {
          NDArray rows = manager.create(FIRST_COLUMN, new Shape(2, WIDTH));
          NDArray targets = manager.create(new long[2]);
          return new TokenHead(kernels, 3)
              .forward(manager, parameters.head(), rows, targets, false)
              .columns()
              .get(column);
        });
  }

  /** The inputs of a head. */
  private interface Question {
    NDArray ask(Kernels kernels, Parameters parameters, NDManager manager);
  }

  /** The answer of a head that gives the row (1, 0, 0, 0) these logits. */
  private float[] onThreeWords(
      DecoderSpec spec, float[] logits, double temperature, Question question) {
    try (Device device = device()) {
      return device.call(
          () -> {
            Precision precision = new Precision(Dtype.FP32, false, temperature);
            try (Parameters parameters = Parameters.random(device, spec, 2);
                Decoder decoder = new Decoder(device, spec, precision, 16);
                NDManager manager = device.newManager()) {
              var head = parameters.memory(Head.parameters(spec).getFirst());
              for (int word = 0; word < 3; word++) {
                head.setAtIndex(ValueLayout.JAVA_FLOAT, (long) word * WIDTH, logits[word]);
              }
              return question.ask(decoder.kernels(), parameters, manager).toFloatArray();
            }
          });
    }
  }

  private void compare(
      TokenHead head, Parameters parameters, ParameterGradients gradients, NDManager manager) {
    int last = parameters.tensors().size() - 1;
    Plain plain = new Plain(parameters.memory(last).toArray(ValueLayout.JAVA_FLOAT));
    NDArray input = manager.create(rows, new Shape(ROWS, WIDTH));
    Head.Output output =
        head.forward(manager, parameters.head(), input, manager.create(targets), true);
    assertArrayEquals(plain.logProbs, output.columns().get(0).toFloatArray(), 2e-5f);
    assertArrayEquals(plain.entropies, output.columns().get(1).toFloatArray(), 3e-5f);
    Head.Output scored =
        head.forward(manager, parameters.head(), input, manager.create(targets), false);
    assertArrayEquals(plain.logProbs, scored.columns().get(0).toFloatArray(), 2e-5f);
    assertArrayEquals(plain.entropies, scored.columns().get(1).toFloatArray(), 3e-5f);
    assertArrayEquals(plain.squares, scored.columns().get(2).toFloatArray(), 2e-6f);
    NDArray reversed = input.flip(0);
    NDArray words = parameters.head().singletonOrThrow();
    NDArray divergences = head.divergences(manager, input, words, reversed, words);
    assertArrayEquals(plain.divergences, divergences.toFloatArray(), 1e-4f);
    NDList by = new NDList(manager.create(byLogProb), manager.create(byEntropy));
    NDArray byRows =
        head.backward(
            manager,
            parameters.head(),
            parameters.head().stream().map(gradients::of).toList(),
            output,
            by);
    assertArrayEquals(floats(plain.byRows), byRows.toFloatArray(), 1e-4f);
    assertArrayEquals(floats(plain.byWeight), gradients.tensors().get(last).toFloatArray(), 1e-4f);
  }

  /** Log-softmax, entropy and their derivatives by definition, a row at a time. */
  private final class Plain {
    final float[] logProbs = new float[ROWS];
    final float[] entropies = new float[ROWS];
    final float[] squares = new float[ROWS];

    /** Divergence of each row's distribution from that of the row as far from the end. */
    final float[] divergences = new float[ROWS];

    final double[] byRows = new double[ROWS * WIDTH];
    final double[] byWeight = new double[WORDS * WIDTH];
    private final float[] weight;

    Plain(float[] weight) {
      this.weight = weight;
      for (int n = 0; n < ROWS / 2; n++) {
        double[] one = logProbs(n, weight);
        double[] other = logProbs(ROWS - 1 - n, weight);
        row(n, one, other);
        row(ROWS - 1 - n, other, one);
      }
    }

    private void row(int n, double[] logits, double[] mirrored) {
      double[] probabilities = new double[WORDS];
      double entropy = 0;
      double square = 0;
      double divergence = 0;
      for (int v = 0; v < WORDS; v++) {
        double p = Math.exp(logits[v]);
        probabilities[v] = p;
        entropy -= p * logits[v];
        square += p * p;
        divergence += p * (logits[v] - mirrored[v]);
      }
      int target = Math.toIntExact(targets[n]);
      logProbs[n] = (float) logits[target];
      entropies[n] = (float) entropy;
      squares[n] = (float) square;
      divergences[n] = (float) divergence;
      for (int v = 0; v < WORDS; v++) {
        double p = probabilities[v];
        double byLogit =
            byLogProb[n] * ((v == target ? 1 : 0) - p) - byEntropy[n] * p * (logits[v] + entropy);
        for (int c = 0; c < WIDTH; c++) {
          byRows[n * WIDTH + c] += byLogit * weight[v * WIDTH + c];
          byWeight[v * WIDTH + c] += byLogit * rows[n * WIDTH + c];
        }
      }
    }

    private double[] logProbs(int row, float[] weight) {
      double[] logits = IntStream.range(0, WORDS).mapToDouble(v -> dot(row, weight, v)).toArray();
      double most = Arrays.stream(logits).max().orElseThrow();
      double sum = Arrays.stream(logits).map(logit -> Math.exp(logit - most)).sum();
      return Arrays.stream(logits).map(logit -> logit - most - Math.log(sum)).toArray();
    }

    private double dot(int row, float[] weight, int word) {
      double sum = 0;
      for (int c = 0; c < WIDTH; c++) {
        sum += (double) rows[row * WIDTH + c] * weight[word * WIDTH + c];
      }
      return sum;
    }
  }
}
