package roll.torch.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.data.RandomStreams;
import roll.api.scoring.GeneralizedJsd;
import roll.testkit.SmallDecoder;
import roll.torch.Device;
import roll.torch.Precision;

/**
 * The divergence of a student's head from a teacher's against the formula of {@code
 * generalized_jsd_loss} in {@code huggingface/trl@054a0dab:trl/experimental/gkd/gkd_trainer.py} in
 * 64 bits, and its gradient against finite differences.
 */
class DistilledHeadTest {
  private static final int WORDS = 7;
  private static final int WIDTH = 4;
  private static final int ROWS = 5;

  /** Words that only the teacher has are padding, and it is narrower. */
  private static final int TEACHER_WORDS = 9;

  private static final int TEACHER_WIDTH = 3;

  private final RandomGenerator random = RandomStreams.of(3, "distilled");
  private final double[] rows = numbers(ROWS * WIDTH);
  private final double[] weight = numbers(WORDS * WIDTH);
  private final double[] others = numbers(ROWS * TEACHER_WIDTH);
  private final double[] otherWeight = numbers(TEACHER_WORDS * TEACHER_WIDTH);
  private final double[] by = numbers(ROWS);

  private double[] numbers(int count) {
    return random.doubles(count, -1.5, 1.5).map(x -> (float) x).toArray();
  }

  @ParameterizedTest
  @CsvSource({
    "0, 1, 1, 0",
    "0.3, 1, 1, 0",
    "0.5, 2, 2, 0",
    "1, 1, 1, 0",
    "1, 0.7, 1.6, 0",
    "0, 1, 1, 3",
    "0.8, 1.5, 1, 4",
    "1, 1, 2, 2"
  })
  void agreesWithTheFormulaAndItsDifferences(
      double beta, double temperature, double teacher, int topK) {
    GeneralizedJsd kind = new GeneralizedJsd(beta, temperature, teacher, topK);
    double[] expected = IntStream.range(0, ROWS).mapToDouble(n -> plain(kind, n)).toArray();
    onDevice(
        (head, manager) -> {
          TeacherRows taught =
              new TeacherRows(
                  matrix(manager, others, TEACHER_WIDTH),
                  matrix(manager, otherWeight, TEACHER_WIDTH),
                  kind);
          NDArray input = matrix(manager, rows, WIDTH);
          NDList weights = new NDList(matrix(manager, weight, WIDTH));
          NDArray targets = manager.create(new long[] {0, 1, 2, 3, 4});
          Head distilled = head.distilled(taught);
          Head.Output output = distilled.forward(manager, weights, input, targets, true);
          assertArrayEquals(floats(expected), output.columns().get(2).toFloatArray(), 2e-6f);
          NDList gradient = new NDList(manager.zeros(new Shape(WORDS, WIDTH)));
          NDArray none = manager.zeros(new Shape(ROWS));
          NDArray byRows =
              distilled.backward(
                  manager,
                  weights,
                  List.of(gradient),
                  output,
                  new NDList(none, none, manager.create(floats(by))));
          assertArrayEquals(differences(kind, rows), byRows.toFloatArray(), 1e-5f);
          float[] byWeight = gradient.singletonOrThrow().toFloatArray();
          assertArrayEquals(differences(kind, weight), byWeight, 1e-5f);
        });
  }

  /** The gradients of log-probs and entropies are added to that of the divergence. */
  @Test
  void itsGradientIsTheSum() {
    onDevice(
        (head, manager) -> {
          TeacherRows taught =
              new TeacherRows(
                  matrix(manager, others, TEACHER_WIDTH),
                  matrix(manager, otherWeight, TEACHER_WIDTH),
                  new GeneralizedJsd(0.5, 1, 1, 0));
          NDArray given = manager.create(floats(by));
          NDArray none = manager.zeros(new Shape(ROWS));
          float[] whole = gradient(head.distilled(taught), manager, given, given, given);
          float[] plain = gradient(head, manager, given, given);
          float[] own = gradient(head.distilled(taught), manager, none, none, given);
          for (int i = 0; i < whole.length; i++) {
            whole[i] -= plain[i] + own[i];
          }
          assertArrayEquals(new float[whole.length], whole, 2e-6f);
        });
  }

  private float[] gradient(Head head, NDManager manager, NDArray... byColumns) {
    NDList weights = new NDList(matrix(manager, weight, WIDTH));
    NDArray targets = manager.create(new long[] {0, 1, 2, 3, 4});
    NDArray input = matrix(manager, rows, WIDTH);
    Head.Output output = head.forward(manager, weights, input, targets, true);
    NDList none = new NDList();
    return head.backward(manager, weights, List.of(none), output, new NDList(byColumns))
        .toFloatArray();
  }

  /**
   * p = (.5, .5), q = (.9, .1). β = 1: ½ log(.5/.9) + ½ log(.5/.1); β = 0: .9 log(.9/.5) + .1
   * log(.1/.5); β = ½, of m = (.7, .3): ½ (.9 log(.9/.7) + .1 log(.1/.3)) + ½ (½ log(.5/.7) + ½
   * log(.5/.3)).
   */
  @Test
  void twoWordsByHand() {
    assertArrayEquals(
        new float[] {.368064f, .101749f, .510826f},
        new float[] {twoWords(0), twoWords(.5), twoWords(1)},
        1e-6f);
  }

  private float twoWords(double beta) {
    float[] found = new float[1];
    onDevice(
        (head, manager) -> {
          float log9 = (float) Math.log(9);
          NDArray one = manager.create(new float[] {1}, new Shape(1, 1));
          TeacherRows taught =
              new TeacherRows(
                  one,
                  manager.create(new float[] {log9, 0}, new Shape(2, 1)),
                  new GeneralizedJsd(beta, 1, 1, 0));
          NDList weights = new NDList(manager.zeros(new Shape(2, 1)));
          found[0] = head.jsd(manager, weights, one, taught, new NDList(), new NDList()).getFloat();
        });
    return found[0];
  }

  /** Returns the device of the head, to be closed. */
  Device device() {
    return Device.cpu(1);
  }

  /** Work with a head whose chunks have two rows. */
  private interface Work {
    void with(TokenHead head, NDManager manager);
  }

  private void onDevice(Work work) {
    try (Device device = device()) {
      device.call(
          () -> {
            var spec = SmallDecoder.decoder(WORDS, WIDTH, 4, 1, 1, 1, Set.of());
            try (Decoder decoder = new Decoder(device, spec, Precision.of(Dtype.FP32), 16);
                NDManager manager = device.newManager()) {
              work.with(new TokenHead(decoder.kernels(), WORDS, 2L * WORDS, 1 << 20), manager);
            }
            return true;
          });
    }
  }

  private static NDArray matrix(NDManager manager, double[] numbers, int width) {
    return manager.create(floats(numbers), new Shape(numbers.length / width, width));
  }

  private static float[] floats(double[] doubles) {
    float[] floats = new float[doubles.length];
    for (int i = 0; i < floats.length; i++) {
      floats[i] = (float) doubles[i];
    }
    return floats;
  }

  /** Central differences of the loss Σ by · divergence, by each number of {@code of}. */
  private float[] differences(GeneralizedJsd kind, double[] of) {
    double step = 1e-5;
    double[] found = new double[of.length];
    for (int i = 0; i < of.length; i++) {
      double before = of[i];
      of[i] = before + step;
      double more = loss(kind);
      of[i] = before - step;
      found[i] = (more - loss(kind)) / (2 * step);
      of[i] = before;
    }
    return floats(found);
  }

  private double loss(GeneralizedJsd kind) {
    return IntStream.range(0, ROWS).mapToDouble(n -> by[n] * plain(kind, n)).sum();
  }

  /** The formula for row {@code n}. */
  private double plain(GeneralizedJsd kind, int n) {
    double[] student = logits(rows, weight, WIDTH, n);
    double[] teacher = logits(others, otherWeight, TEACHER_WIDTH, n);
    int[] words =
        IntStream.range(0, WORDS)
            .boxed()
            .sorted(Comparator.comparingDouble(v -> -teacher[v]))
            .limit(kind.topK() == 0 ? WORDS : kind.topK())
            .mapToInt(v -> v)
            .toArray();
    double[] p = probabilities(student, words, kind.temperature());
    double[] q = probabilities(teacher, words, kind.teacherTemperature());
    double beta = kind.beta();
    if (beta == 0) {
      return divergence(q, p);
    }
    if (beta == 1) {
      return divergence(p, q);
    }
    double[] m = new double[p.length];
    Arrays.setAll(m, v -> (1 - beta) * p[v] + beta * q[v]);
    return beta * divergence(q, m) + (1 - beta) * divergence(p, m);
  }

  private static double[] logits(double[] rows, double[] weight, int width, int n) {
    return IntStream.range(0, WORDS)
        .mapToDouble(
            v ->
                IntStream.range(0, width)
                    .mapToDouble(c -> rows[n * width + c] * weight[v * width + c])
                    .sum())
        .toArray();
  }

  private static double[] probabilities(double[] logits, int[] words, double temperature) {
    double[] p = Arrays.stream(words).mapToDouble(v -> Math.exp(logits[v] / temperature)).toArray();
    double sum = Arrays.stream(p).sum();
    return Arrays.stream(p).map(x -> x / sum).toArray();
  }

  private static double divergence(double[] p, double[] q) {
    return IntStream.range(0, p.length).mapToDouble(v -> p[v] * Math.log(p[v] / q[v])).sum();
  }
}
