package roll.torch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import roll.api.config.LoraConfig;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.data.RandomStreams;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Trait;
import roll.api.option.UserException;
import roll.api.strategy.TokenBatch;
import roll.decoder.DecoderParameters;
import roll.torch.huggingface.LoraTargets;
import roll.torch.model.Decoder;
import roll.torch.model.Head;
import roll.torch.model.Parameters;
import roll.torch.model.TokenHead;
import roll.torch.model.Trained;
import roll.torch.training.ForwardBackward;
import roll.torch.training.ParameterGradients;

/**
 * Gradients through head and layers against finite differences, for a loss that is linear in what
 * the head says, with random coefficients.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class GradientTest {
  private static final TokenBatch BATCH = Shapes.batch();
  private static final double[][] COEFFICIENTS = {
    normal("first", BATCH.tokens().length), normal("second", BATCH.tokens().length)
  };

  private static final Set<Trait> ALL = EnumSet.complementOf(EnumSet.of(Trait.VALUE_HEAD));

  private static final long SEED = 7L << 40;

  private final Device device = Device.cpu(1);

  @AfterAll
  void close() {
    device.close();
  }

  private static double[] normal(String purpose, int count) {
    RandomGenerator stream = RandomStreams.of(5, purpose);
    return IntStream.range(0, count).mapToDouble(i -> stream.nextGaussian()).toArray();
  }

  /** The gradient of every parameter, the samples given to the model in {@code parts}. */
  private double[][] gradients(
      Parameters parameters, Decoder decoder, Head head, List<int[]> parts) {
    return gradients(parameters, decoder, head, parts, false, false);
  }

  private double[][] gradients(
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
      loss += dot(COEFFICIENTS[c], columns[c]);
    }
    return loss;
  }

  /** Central difference of the loss along {@code direction} in parameter {@code index}. */
  private double slope(Parameters parameters, Decoder decoder, int index, double[] direction) {
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

  /** No trait, each alone, and all together with either head. */
  static Stream<Set<Trait>> traits() {
    return Stream.concat(
        Stream.of(Set.<Trait>of(), ALL, EnumSet.complementOf(EnumSet.of(Trait.TIED_HEAD))),
        Stream.of(Trait.values()).map(Set::of));
  }

  @ParameterizedTest
  @MethodSource("traits")
  void gradientsEqualFiniteDifferences(Set<Trait> traits) {
    DecoderSpec spec = Shapes.decoder(11, 16, 24, 2, 4, 2, traits);
    device.call(
        () -> {
          try (Parameters parameters = Parameters.random(device, spec, 3)) {
            compare(parameters);
          }
          return null;
        });
  }

  @ParameterizedTest
  @CsvSource({
    "all-linear, 0",
    "all-linear, 0.3",
    "q_proj, 0.3",
    "'v_proj, down_proj', 0",
    "'model.layers.1.self_attn.o_proj, up_proj', 0.3"
  })
  void gradientsOfAdaptersEqualFiniteDifferences(String targets, double dropout) {
    DecoderSpec base = Shapes.decoder(11, 16, 24, 2, 4, 2, ALL);
    LoraConfig lora = new LoraConfig(3, 6, dropout, List.of(targets.split(", ")));
    DecoderSpec spec = base.with(LoraTargets.of(base, "here", lora));
    device.call(
        () -> {
          try (Parameters parameters = Shapes.adapted(device, spec, 3)) {
            compare(parameters);
            assertSameWithCheckpointing(parameters, Dtype.BF16);
          }
          return null;
        });
  }

  /** The gradient of everything that is trained with two slopes of the loss. */
  private void compare(Parameters parameters) {
    DecoderSpec spec = parameters.spec();
    List<String> names =
        DecoderParameters.of(spec).stream().map(DecoderSpec.Parameter::name).toList();
    try (Decoder decoder = new Decoder(device, spec, Precision.of(Dtype.FP32), 16)) {
      List<int[]> parts = List.of(new int[] {0, 1, 2});
      double[][] all = gradients(parameters, decoder, Head.of(decoder), parts);
      assertTrue(all.length > 0);
      for (int t = 0; t < all.length; t++) {
        String name = parameters.trained().names().get(t);
        int p = names.indexOf(name);
        double norm = Math.sqrt(dot(all[t], all[t]));
        double[] steepest = scaled(all[t], 1 / norm);
        double[] random = normal(name, all[t].length);
        double[] any = scaled(random, 1 / Math.sqrt(dot(random, random)));
        double bound = 0.01 * norm + 2e-3;
        assertEquals(norm, slope(parameters, decoder, p, steepest), bound, name);
        assertEquals(dot(all[t], any), slope(parameters, decoder, p, any), bound, name);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 0", "22, 0", "22, 1000", "1000, 1000"})
  void chunksAndPartsDoNotChangeGradients(long chunk, long keep) {
    DecoderSpec spec = Shapes.decoder(11, 16, 24, 2, 4, 2, ALL);
    device.call(
        () -> {
          try (Parameters parameters = Parameters.random(device, spec, 3);
              Decoder decoder = new Decoder(device, spec, Precision.of(Dtype.FP32), 16)) {
            List<int[]> whole = List.of(new int[] {0, 1, 2});
            List<int[]> parts = List.of(new int[] {2}, new int[] {0, 1});
            double[][] expected = gradients(parameters, decoder, Head.of(decoder), whole);
            Head head = new TokenHead(decoder.kernels(), 11, chunk, keep);
            double[][] found = gradients(parameters, decoder, head, parts);
            for (int p = 0; p < expected.length; p++) {
              assertArrayEquals(expected[p], found[p], 1e-4);
            }
          }
          return null;
        });
  }

  @ParameterizedTest
  @CsvSource({
    "QUERY_KEY_VALUE_BIAS, model.embed",
    "QUERY_KEY_VALUE_BIAS, lm_head",
    "QUERY_KEY_VALUE_BIAS, model",
    "QUERY_KEY_VALUE_BIAS, model.layers.0",
    "QUERY_KEY_VALUE_BIAS, model.layers.1.mlp.up",
    "VALUE_HEAD, model",
    "VALUE_HEAD, score.bias",
    "VALUE_HEAD, score"
  })
  void whatIsFrozenHasNoGradientAndChangesNoOther(Trait trait, String prefix) {
    DecoderSpec spec = Shapes.decoder(11, 16, 24, 2, 4, 2, Set.of(trait));
    device.call(
        () -> {
          try (Parameters parameters = Parameters.random(device, spec, 3);
              Decoder decoder = new Decoder(device, spec, Precision.of(Dtype.FP32), 16)) {
            List<int[]> parts = List.of(new int[] {2}, new int[] {0, 1});
            Head head = Head.of(decoder);
            double[][] whole = gradients(parameters, decoder, head, parts);
            try (Parameters others = Parameters.random(device, spec, 3)) {
              List<Integer> trained = Trained.allBut(spec, "here", List.of(prefix));
              others.train(trained);
              double[][] some = gradients(others, decoder, head, parts);
              assertEquals(trained.size(), some.length);
              for (int i = 0; i < some.length; i++) {
                assertFalse(others.trained().names().get(i).startsWith(prefix));
                assertArrayEquals(whole[trained.get(i)], some[i]);
              }
            }
          }
          return null;
        });
  }

  /** Every trait, with everything trained or some layers, the embedding or the head frozen. */
  @ParameterizedTest
  @CsvSource({
    "FP32, nothing",
    "BF16, nothing",
    "FP32, model.embed",
    "FP32, lm_head",
    "BF16, model.layers.0"
  })
  void checkpointingChangesNoBit(Dtype dtype, String frozen) {
    Set<Trait> traits = EnumSet.copyOf(ALL);
    if (frozen.startsWith("lm_head")) {
      traits.remove(Trait.TIED_HEAD);
    }
    DecoderSpec spec = Shapes.decoder(11, 16, 24, 3, 4, 2, traits);
    device.call(
        () -> {
          try (Parameters parameters = Parameters.random(device, spec, 3)) {
            if (!frozen.equals("nothing")) {
              parameters.train(Trained.allBut(spec, "here", List.of(frozen)));
            }
            assertSameWithCheckpointing(parameters, dtype);
          }
          return null;
        });
  }

  private void assertSameWithCheckpointing(Parameters parameters, Dtype dtype) {
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

  /** Every trait, either head; all is kept, or layers are run again. */
  @ParameterizedTest
  @MethodSource("traits")
  void packingDoesNotChangeGradients(Set<Trait> traits) {
    DecoderSpec spec = Shapes.decoder(11, 16, 24, 2, 4, 2, traits);
    device.call(
        () -> {
          try (Parameters parameters = Parameters.random(device, spec, 3);
              Decoder decoder = new Decoder(device, spec, Precision.of(Dtype.FP32), 7)) {
            Head head = Head.of(decoder);
            List<int[]> whole = List.of(new int[] {2, 0, 1});
            double[][] expected = gradients(parameters, decoder, head, whole);
            double[][] found = gradients(parameters, decoder, head, whole, false, true);
            double[][] again = gradients(parameters, decoder, head, whole, true, true);
            for (int p = 0; p < expected.length; p++) {
              double norm = Math.sqrt(dot(expected[p], expected[p]));
              assertArrayEquals(expected[p], found[p], 1e-5 * Math.max(1, norm));
              assertArrayEquals(found[p], again[p]);
            }
          }
          return null;
        });
  }

  @Test
  void refusesToFreezeNothingOrEverything() {
    DecoderSpec spec = Shapes.decoder(11, 16, 24, 2, 4, 2, Set.of());
    assertEquals(
        "here: no parameter of the model begins with 'model.layer.0';"
            + " did you mean 'model.layers.0'?",
        assertThrows(
                UserException.class, () -> Trained.allBut(spec, "here", List.of("model.layer.0")))
            .getMessage());
    assertEquals(
        "here: freezes the whole model, nothing is left to train",
        assertThrows(
                UserException.class, () -> Trained.allBut(spec, "here", List.of("lm", "model")))
            .getMessage());
  }

  @ParameterizedTest
  @CsvSource({"0, true, false", "1000, true, false", "1000, false, false", "0, true, true"})
  void bf16GradientsPointTheSameWay(long keep, boolean narrow, boolean wideLogits) {
    DecoderSpec spec = Shapes.decoder(11, 16, 24, 2, 4, 2, ALL);
    device.call(
        () -> {
          try (Parameters parameters = Parameters.random(device, spec, 3);
              Decoder exact = new Decoder(device, spec, Precision.of(Dtype.FP32), 16);
              Decoder rounded =
                  new Decoder(device, spec, new Precision(Dtype.BF16, wideLogits), 16)) {
            List<int[]> parts = List.of(new int[] {0, 1, 2});
            double[][] a = gradients(parameters, exact, Head.of(exact), parts);
            if (narrow) {
              parameters.narrow(device);
            }
            double[][] b =
                gradients(
                    parameters, rounded, new TokenHead(rounded.kernels(), 11, 1000, keep), parts);
            for (int p = 0; p < a.length; p++) {
              double norms = Math.sqrt(dot(a[p], a[p]) * dot(b[p], b[p]));
              String name = DecoderParameters.of(spec).get(p).name();
              // the bias of keys shifts all scores of a query alike: its gradient is but rounding
              if (!name.endsWith("k_proj.bias")) {
                assertEquals(1, dot(a[p], b[p]) / norms, 0.01, name);
              }
            }
          }
          return null;
        });
  }

  private static double dot(double[] a, double[] b) {
    return IntStream.range(0, a.length).mapToDouble(i -> a[i] * b[i]).sum();
  }

  private static double[] scaled(double[] a, double factor) {
    return IntStream.range(0, a.length).mapToDouble(i -> a[i] * factor).toArray();
  }
}
