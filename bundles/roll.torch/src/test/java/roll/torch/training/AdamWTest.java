package roll.torch.training;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Collections;
import java.util.Objects;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import roll.api.data.RandomStreams;
import roll.api.model.DecoderSpec;
import roll.decoder.DecoderParameters;
import roll.testkit.SmallDecoder;
import roll.torch.Device;
import roll.torch.TensorMemory;
import roll.torch.model.Parameters;
import roll.torch.model.TrainedParameters;

class AdamWTest {
  private static final AdamW.Settings SETTINGS = new AdamW.Settings(0.9, 0.99, 1e-8, 0.1, 2.0);

  @Test
  void agreesWithTheFormulas() {
    try (Device device = Device.cpu()) {
      device.call(
          () -> {
            compare(device);
            return true;
          });
    }
  }

  /** A matrix (decayed) and a bias (not), clipped in some steps and not in others. */
  private static void compare(Device device) {
    RandomGenerator random = RandomStreams.of(1, "adamw");
    try (NDManager manager = device.newManager()) {
      Plain matrix = new Plain(random, 6, SETTINGS.weightDecay());
      Plain bias = new Plain(random, 3, 0);
      NDList parameters =
          new NDList(
              manager.create(matrix.floats(), new Shape(2, 3)), manager.create(bias.floats()));
      try (Optimizer optimizer = new Optimizer(device, trained(parameters), SETTINGS)) {
        for (int step = 1; step <= 8; step++) {
          double[] g = random.doubles(6, -step, step).map(x -> (float) x).toArray();
          double[] h = random.doubles(3, -step, step).map(x -> (float) x).toArray();
          double rate = 0.05 / step;
          double norm = Math.sqrt(squares(g) + squares(h));
          double scale = Math.min(1, SETTINGS.maxGradNorm() / (norm + 1e-6));
          matrix.step(g, scale, rate, step);
          bias.step(h, scale, rate, step);
          NDList gradients =
              new NDList(manager.create(floats(g), new Shape(2, 3)), manager.create(floats(h)));
          assertEquals(norm, optimizer.step(gradients, rate), 1e-6 * norm);
          assertArrayEquals(new float[6], gradients.get(0).toFloatArray());
        }
        assertEquals(8, optimizer.steps());
        assertArrayEquals(matrix.floats(), parameters.get(0).toFloatArray(), 2e-6f);
        assertArrayEquals(bias.floats(), parameters.get(1).toFloatArray(), 2e-6f);
      }
    }
  }

  @Test
  void leavesEverythingAloneWhereAGradientIsNotFinite() {
    try (Device device = Device.cpu()) {
      device.call(
          () -> {
            for (float broken : new float[] {Float.NaN, Float.NEGATIVE_INFINITY}) {
              skip(device, broken);
            }
            return true;
          });
    }
  }

  private static void skip(Device device, float broken) {
    try (NDManager manager = device.newManager()) {
      NDArray weights = manager.create(new float[] {1, -2, 3}, new Shape(3, 1));
      try (Optimizer optimizer = new Optimizer(device, trained(new NDList(weights)), SETTINGS)) {
        optimizer.step(new NDList(manager.ones(new Shape(3, 1))), 0.1);
        float[] before = weights.toFloatArray();
        float[] first =
            Objects.requireNonNull(optimizer.kept(TrainState.Kind.FIRST, 0)).toFloatArray();
        NDArray gradient = manager.create(new float[] {1, broken, 1}, new Shape(3, 1));
        assertTrue(!Double.isFinite(optimizer.step(new NDList(gradient), 0.1)));
        assertArrayEquals(before, weights.toFloatArray());
        assertArrayEquals(
            first, Objects.requireNonNull(optimizer.kept(TrainState.Kind.FIRST, 0)).toFloatArray());
        assertArrayEquals(new float[3], gradient.toFloatArray());
        assertEquals(1, optimizer.steps());
      }
    }
  }

  /**
   * Steps of 0.001 from 1: the next bf16 number below is 0.99609375, so one step alone would change
   * nothing for ever. Two parameters, the embedding among them, are frozen.
   */
  @Test
  void smallStepsAddUpInTheMastersOfBf16Weights() {
    DecoderSpec spec = SmallDecoder.decoder(11, 16, 24, 1, 4, 2, Set.of());
    AdamW.Settings settings = new AdamW.Settings(0.9, 0.99, 1e-8, 0, 1e9);
    try (Device device = Device.cpu(1)) {
      device.call(
          () -> {
            try (Parameters parameters = Parameters.zeros(device, spec);
                NDManager manager = device.newManager()) {
              int count = DecoderParameters.of(spec).size();
              for (int i = 0; i < count; i++) {
                parameters.memory(i).copyFrom(ones(parameters.memory(i).byteSize()));
              }
              parameters.train(IntStream.range(2, count).boxed().toList());
              parameters.narrow(device);
              TrainedParameters trained = parameters.trained();
              try (Optimizer optimizer = new Optimizer(device, trained, settings)) {
                for (int step = 1; step <= 4; step++) {
                  NDList gradients = new NDList();
                  trained.masters().forEach(x -> gradients.add(manager.ones(x.getShape())));
                  optimizer.step(gradients, 0.001);
                  float master = 1 - 0.001f * step;
                  assertEquals(master, trained.masters().head().toFloatArray()[0], 1e-6f);
                  assertEquals(
                      step < 2 ? 1 : 0.99609375f, bf16(trained.tensors().head()), "" + step);
                }
                assertEquals(1, bf16(parameters.tensors().head()));
                trained.masters().head().muli(0.5f);
                optimizer.resume(9);
                assertEquals(255f / 512, bf16(trained.tensors().head()));
              }
            }
            return true;
          });
    }
  }

  private static MemorySegment ones(long bytes) {
    float[] ones = new float[Math.toIntExact(bytes / Float.BYTES)];
    Arrays.fill(ones, 1);
    return MemorySegment.ofArray(ones);
  }

  /** The first number of a bf16 tensor. */
  private static float bf16(NDArray tensor) {
    MemorySegment memory = TensorMemory.of(tensor);
    assertEquals(Short.BYTES * tensor.size(), memory.byteSize());
    return Float.intBitsToFloat(memory.get(ValueLayout.JAVA_SHORT_UNALIGNED, 0) << 16);
  }

  private static TrainedParameters trained(NDList tensors) {
    return new TrainedParameters(Collections.nCopies(tensors.size(), "any"), tensors, tensors);
  }

  private static double squares(double[] x) {
    double sum = 0;
    for (double value : x) {
      sum += value * value;
    }
    return sum;
  }

  private static float[] floats(double[] x) {
    float[] floats = new float[x.length];
    for (int i = 0; i < x.length; i++) {
      floats[i] = (float) x[i];
    }
    return floats;
  }

  /** Algorithm 2 of Loshchilov and Hutter, in 64 bits. */
  private static final class Plain {
    private final double decay;
    private final double[] weights;
    private final double[] first;
    private final double[] second;

    Plain(RandomGenerator random, int size, double decay) {
      this.decay = decay;
      this.weights = random.doubles(size, -1, 1).map(x -> (float) x).toArray();
      this.first = new double[size];
      this.second = new double[size];
    }

    void step(double[] gradient, double scale, double rate, int step) {
      for (int i = 0; i < weights.length; i++) {
        double g = gradient[i] * scale;
        first[i] = SETTINGS.beta1() * first[i] + (1 - SETTINGS.beta1()) * g;
        second[i] = SETTINGS.beta2() * second[i] + (1 - SETTINGS.beta2()) * g * g;
        double m = first[i] / (1 - Math.pow(SETTINGS.beta1(), step));
        double v = second[i] / (1 - Math.pow(SETTINGS.beta2(), step));
        weights[i] -= rate * decay * weights[i] + rate * m / (Math.sqrt(v) + SETTINGS.epsilon());
      }
    }

    float[] floats() {
      return AdamWTest.floats(weights);
    }
  }
}
