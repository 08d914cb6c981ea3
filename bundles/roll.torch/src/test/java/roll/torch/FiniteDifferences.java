package roll.torch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.DoubleSupplier;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import roll.api.data.RandomStreams;
import roll.api.model.DecoderSpec;
import roll.torch.model.Parameters;

/** Compares gradients in f64 with central differences of the loss, over random weights. */
public final class FiniteDifferences {
  private static final double STEP = 1e-5;

  private FiniteDifferences() {}

  /** Returns a random f64 tensor for {@code parameter}, around one for weights of norms. */
  public static NDArray weight(NDManager owner, DecoderSpec.Parameter parameter) {
    double[] random = normal(parameter.name() + " weight", Math.toIntExact(parameter.size()));
    double mean = parameter.start() == DecoderSpec.Initialization.ONES ? 1 : 0;
    double[] values =
        IntStream.range(0, random.length).mapToDouble(i -> mean + 0.2 * random[i]).toArray();
    return owner.create(values, Parameters.shape(parameter));
  }

  /**
   * Asserts that {@code gradient} predicts the slope of {@code loss} along itself and along a
   * random direction.
   *
   * @param name of the parameter
   * @param weight its values, on which {@code loss} depends; restored afterwards
   * @param tolerance relative to the norm of the gradient, at least to 1; ten times that along the
   *     random direction
   */
  public static void assertGradient(
      String name, double[] gradient, NDArray weight, DoubleSupplier loss, double tolerance) {
    double norm = Math.sqrt(dot(gradient, gradient));
    double bound = tolerance * Math.max(1, norm);
    double[] steepest =
        IntStream.range(0, gradient.length)
            .mapToDouble(i -> gradient[i] / Math.max(norm, 1e-12))
            .toArray();
    assertEquals(dot(gradient, steepest), slope(weight, steepest, loss), bound, name);
    double[] any = normal(name, gradient.length);
    assertEquals(dot(gradient, any), slope(weight, any, loss), 10 * bound, name);
  }

  private static double slope(NDArray weight, double[] direction, DoubleSupplier loss) {
    MemorySegment memory = TensorMemory.of(weight);
    double[] start = memory.toArray(ValueLayout.JAVA_DOUBLE);
    double[] losses = new double[2];
    for (int side = 0; side < 2; side++) {
      for (int i = 0; i < start.length; i++) {
        double moved = start[i] + (side == 0 ? STEP : -STEP) * direction[i];
        memory.setAtIndex(ValueLayout.JAVA_DOUBLE, i, moved);
      }
      losses[side] = loss.getAsDouble();
    }
    MemorySegment.copy(start, 0, memory, ValueLayout.JAVA_DOUBLE, 0, start.length);
    return (losses[0] - losses[1]) / (2 * STEP);
  }

  /** Returns standard normal numbers of the stream {@code purpose}. */
  public static double[] normal(String purpose, int count) {
    RandomGenerator stream = RandomStreams.of(5, purpose);
    return IntStream.range(0, count).mapToDouble(i -> stream.nextGaussian()).toArray();
  }

  /** Returns the dot product of two vectors of the same length. */
  public static double dot(double[] a, double[] b) {
    return IntStream.range(0, a.length).mapToDouble(i -> a[i] * b[i]).sum();
  }
}
