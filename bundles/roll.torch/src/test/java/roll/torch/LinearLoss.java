package roll.torch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.model.DecoderSpec.Trait;
import roll.api.strategy.TokenBatch;
import roll.testkit.SmallDecoder;
import roll.torch.model.Decoder;
import roll.torch.model.Head;
import roll.torch.model.Parameters;
import roll.torch.training.ForwardBackward;
import roll.torch.training.ParameterGradients;

/**
 * A loss that is linear in what the head says of {@link Shapes#batch}, with random coefficients:
 * its gradient through head and layers, and its slopes.
 */
final class LinearLoss {
  private static final TokenBatch BATCH = SmallDecoder.batch();
  private static final double[][] COEFFICIENTS = {
    FiniteDifferences.normal("first", BATCH.tokens().length),
    FiniteDifferences.normal("second", BATCH.tokens().length)
  };

  /** Every trait of a language model. */
  static final Set<Trait> ALL = EnumSet.complementOf(EnumSet.of(Trait.VALUE_HEAD));

  private static final long SEED = 7L << 40;

  private final Device device;

  LinearLoss(Device device) {
    this.device = device;
  }

  /** No trait, each alone, and all together with either head. */
  static Stream<Set<Trait>> traits() {
    return Stream.concat(
        Stream.of(Set.<Trait>of(), ALL, EnumSet.complementOf(EnumSet.of(Trait.TIED_HEAD))),
        Stream.of(Trait.values()).map(Set::of));
  }

  /** The gradient of every parameter, the samples given to the model in {@code parts}. */
  double[][] gradients(Parameters parameters, Decoder decoder, Head head, List<int[]> parts) {
    return gradients(parameters, decoder, head, parts, false, false);
  }

  /** With layers that are run again where {@code checkpointing}, or samples in one row. */
  double[][] gradients(
      Parameters parameters,
      Decoder decoder,
      Head head,
      List<int[]> parts,
      boolean checkpointing,
      boolean packed) {
    try (ParameterGradients gradients = new ParameterGradients(device, parameters);
        ForwardBackward passes =
            new ForwardBackward(device, decoder, head, parameters, gradients, checkpointing)) {
      for (int repetition = 0; repetition < 2; repetition++) {
        gradients.zero();
        for (int[] part : parts) {
          MicroBatch micro = MicroBatch.of(BATCH, part, packed);
          passes.backward(linear(part, passes.forward(BATCH, micro, SEED)));
        }
      }
      return gradients.tensors().stream()
          .map(tensor -> doubles(tensor.toFloatArray()))
          .toArray(double[][]::new);
    }
  }

  private static double[] doubles(float[] floats) {
    return IntStream.range(0, floats.length).mapToDouble(i -> floats[i]).toArray();
  }

  /** The coefficients of {@code samples}, for as many columns as the head gives. */
  private static double[][] linear(int[] samples, double[][] columns) {
    double[][] by = new double[columns.length][columns[0].length];
    int n = 0;
    for (int sample : samples) {
      for (int t = BATCH.offsets()[sample]; t < BATCH.offsets()[sample + 1]; t++) {
        for (int c = 0; c < by.length; c++) {
          by[c][n] = COEFFICIENTS[c][t];
        }
        n++;
      }
    }
    return by;
  }

  /** The loss, with what dropout leaves where there is any. */
  private double loss(Parameters parameters, Decoder decoder) {
    double[][] columns;
    try (ParameterGradients gradients = new ParameterGradients(device, parameters);
        ForwardBackward passes =
            new ForwardBackward(device, decoder, Head.of(decoder), parameters, gradients, false)) {
      columns = passes.forward(BATCH, MicroBatch.of(BATCH, new int[] {0, 1, 2}), SEED);
    }
    double loss = 0;
    for (int c = 0; c < columns.length; c++) {
      loss += FiniteDifferences.dot(COEFFICIENTS[c], columns[c]);
    }
    return loss;
  }

  /** Central difference of the loss along {@code direction} in parameter {@code index}. */
  double slope(Parameters parameters, Decoder decoder, int index, double[] direction) {
    double step = 4e-3;
    double[] losses = new double[2];
    float[] start = parameters.memory(index).toArray(ValueLayout.JAVA_FLOAT);
    MemorySegment memory = parameters.memory(index);
    for (int side = 0; side < 2; side++) {
      for (int i = 0; i < start.length; i++) {
        double moved = start[i] + (side == 0 ? step : -step) * direction[i];
        memory.setAtIndex(ValueLayout.JAVA_FLOAT, i, (float) moved);
      }
      losses[side] = loss(parameters, decoder);
    }
    MemorySegment.copy(start, 0, memory, ValueLayout.JAVA_FLOAT, 0, start.length);
    return (losses[0] - losses[1]) / (2 * step);
  }

  /** With checkpointing there are the same gradients, bit for bit. */
  void assertSameWithCheckpointing(Parameters parameters, Dtype dtype) {
    if (dtype == Dtype.BF16) {
      parameters.narrow(device);
    }
    try (Decoder decoder = new Decoder(device, parameters.spec(), Precision.of(dtype), 16)) {
      List<int[]> parts = List.of(new int[] {2}, new int[] {0, 1});
      Head head = Head.of(decoder);
      double[][] kept = gradients(parameters, decoder, head, parts, false, false);
      double[][] again = gradients(parameters, decoder, head, parts, true, false);
      for (int p = 0; p < kept.length; p++) {
        assertArrayEquals(kept[p], again[p], parameters.trained().names().get(p));
      }
    }
  }

  static double[] scaled(double[] a, double factor) {
    return IntStream.range(0, a.length).mapToDouble(i -> a[i] * factor).toArray();
  }
}
