package roll.torch.training;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.model.Adapter;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Experts;
import roll.api.model.DecoderSpec.Trait;
import roll.batching.Cutting;
import roll.decoder.DecoderParameters;
import roll.huggingface.StoredTensor;
import roll.testkit.SmallDecoder;
import roll.testkit.WrittenFlash;
import roll.torch.CardOperators;
import roll.torch.Device;
import roll.torch.Precision;
import roll.torch.TensorMemory;
import roll.torch.model.Parameters;
import roll.torch.model.TrainedParameters;

/**
 * Training by the kernel texts of cards, on the processor: with weights joined in memory, and the
 * operators of cards written out, models are trained as by the texts for processors.
 */
final class CardTextsTrainingTest {
  /** A large epsilon: gradients that are zero but for rounding must not move weights. */
  private static final AdamW.Settings SETTINGS = new AdamW.Settings(0.9, 0.999, 1e-2, 0.01, 1);

  private static final CardOperators OPERATORS =
      new CardOperators(
          WrittenFlash.source(), WrittenFlash.wideProduct(), WrittenFlash.groupedProduct());

  private static final DecoderSpec DENSE =
      SmallDecoder.decoder(11, 16, 24, 2, 4, 2, EnumSet.of(Trait.QUERY_KEY_VALUE_BIAS));

  private static final DecoderSpec BIASED =
      SmallDecoder.decoder(
          11, 16, 24, 2, 4, 2, EnumSet.of(Trait.FEED_FORWARD_BIAS, Trait.TIED_HEAD));

  private static final DecoderSpec GEMMA =
      SmallDecoder.decoder(
          11,
          16,
          24,
          2,
          4,
          1,
          EnumSet.of(Trait.GELU, Trait.NORM_OFFSET, Trait.SCALED_EMBEDDING, Trait.TIED_HEAD));

  private static final DecoderSpec EXPERTS =
      SmallDecoder.decoder(11, 16, 24, 2, 4, 2, EnumSet.of(Trait.QUERY_KEY_NORM))
          .of(new Experts(4, 2, true));

  /** A model, what is not trained of it, its format, and whether layers are recomputed. */
  private record Case(DecoderSpec spec, List<String> frozen, Dtype dtype, boolean checkpointing) {}

  static Stream<Case> cases() {
    Set<String> some = Set.of("model.layers.0.self_attn.v_proj", "model.layers.1.mlp.up_proj");
    List<String> keys = List.of("model.layers.0.self_attn.k_proj", "model.layers.1.mlp.gate_proj");
    return Stream.of(
        new Case(DENSE, List.of(), Dtype.FP32, true),
        new Case(DENSE, List.of(), Dtype.FP32, false),
        new Case(DENSE, List.of(), Dtype.BF16, false),
        new Case(DENSE, keys, Dtype.FP32, true),
        new Case(BIASED, List.of(), Dtype.FP32, false),
        new Case(GEMMA, List.of(), Dtype.FP32, true),
        new Case(DENSE.with(new Adapter(3, 6, false, 0, some)), List.of(), Dtype.FP32, false),
        new Case(EXPERTS, List.of(), Dtype.FP32, true),
        new Case(EXPERTS, List.of(), Dtype.BF16, false));
  }

  private static Parameters random(Device device, Case of) {
    Adapter adapter = of.spec().adapter();
    Parameters parameters = Parameters.random(device, of.spec().with(null), 5);
    if (adapter != null) {
      parameters = parameters.with(adapter, 6);
    }
    parameters.train(TrainedParameters.allBut(of.spec(), "frozen", of.frozen()));
    if (of.dtype() == Dtype.BF16) {
      parameters.narrow(device);
    }
    parameters.join();
    return parameters;
  }

  /** The gradients of a batch at each step, and the weights after the last. */
  private static List<float[]> trained(Device device, Case of) {
    return device.call(
        () -> {
          try (Parameters parameters = random(device, of);
              GradientAccumulator sum =
                  new GradientAccumulator(
                      device, parameters, Precision.of(of.dtype()), 8, of.checkpointing(), 2);
              Optimizer optimizer = new Optimizer(device, parameters.trained(), SETTINGS)) {
            List<float[]> numbers = new ArrayList<>();
            int steps = of.dtype() == Dtype.BF16 ? 1 : 2; // in bf16 rounding changes experts
            for (int step = 0; step < steps; step++) {
              sum.run(
                  SmallDecoder.batch(),
                  new Cutting.Packed(10, 1, false),
                  (samples, columns) -> columns,
                  1);
              sum.gradients().tensors().forEach(tensor -> numbers.add(tensor.toFloatArray()));
              optimizer.step(sum.gradients().tensors(), 1e-2);
            }
            numbers.addAll(floats(parameters));
            return numbers;
          }
        });
  }

  private static List<float[]> floats(Parameters parameters) {
    List<float[]> all = new ArrayList<>();
    try (Arena arena = Arena.ofConfined()) {
      for (int i = 0; i < parameters.tensors().size(); i++) {
        long size = DecoderParameters.of(parameters.spec()).get(i).size();
        MemorySegment numbers = arena.allocate(ValueLayout.JAVA_FLOAT, size);
        parameters.read(i, 0, numbers);
        all.add(numbers.toArray(ValueLayout.JAVA_FLOAT));
      }
    }
    return all;
  }

  @ParameterizedTest
  @MethodSource("cases")
  void modelsAreTrainedAsByTheTextsForProcessors(Case of) {
    try (Device processor = Device.cpu(2);
        Device card = Device.cpuWithCardTexts(2, OPERATORS, null)) {
      List<float[]> expected = trained(processor, of);
      List<float[]> found = trained(card, of);
      assertEquals(expected.size(), found.size());
      float most = of.dtype() == Dtype.BF16 ? 4e-2f : 1e-4f;
      for (int i = 0; i < expected.size(); i++) {
        float scale = Math.max(1, largest(expected.get(i)));
        assertArrayEquals(expected.get(i), found.get(i), most * scale, "tensor " + i);
      }
    }
  }

  private static float largest(float[] numbers) {
    float largest = 0;
    for (float number : numbers) {
      largest = Math.max(largest, Math.abs(number));
    }
    return largest;
  }

  /** A card draws other numbers than a processor, but the same ones when a layer is recomputed. */
  @Test
  void recomputedLayersDropTheSame() {
    Set<String> some = Set.of("model.layers.0.self_attn.v_proj", "model.layers.1.mlp.up_proj");
    DecoderSpec dropping = DENSE.with(new Adapter(3, 6, false, 0.2, some));
    try (Device card = Device.cpuWithCardTexts(1, OPERATORS, null)) {
      List<float[]> kept = trained(card, new Case(dropping, List.of(), Dtype.FP32, false));
      List<float[]> recomputed = trained(card, new Case(dropping, List.of(), Dtype.FP32, true));
      for (int i = 0; i < kept.size(); i++) {
        assertArrayEquals(kept.get(i), recomputed.get(i), "tensor " + i);
      }
    }
  }

  @Test
  void joinedWeightsLieNextToOneAnotherWithTheSameNumbers() {
    try (Device processor = Device.cpu(1);
        Device card = Device.cpuWithCardTexts(1, OPERATORS, null)) {
      for (Dtype dtype : Dtype.values()) {
        Case of = new Case(EXPERTS, List.of(), dtype, false);
        List<byte[]> expected = processor.call(() -> stored(random(processor, of)));
        List<byte[]> found =
            card.call(
                () -> {
                  Parameters parameters = random(card, of);
                  assertNextTo(parameters, "self_attn.q_proj", "self_attn.k_proj");
                  assertNextTo(parameters, "self_attn.k_proj", "self_attn.v_proj");
                  assertNextTo(parameters, "mlp.experts.0.gate_proj", "mlp.experts.0.up_proj");
                  assertNextTo(parameters, "mlp.experts.2.up_proj", "mlp.experts.3.gate_proj");
                  assertNextTo(parameters, "mlp.experts.1.down_proj", "mlp.experts.2.down_proj");
                  return stored(parameters);
                });
        for (int i = 0; i < expected.size(); i++) {
          assertArrayEquals(expected.get(i), found.get(i));
        }
      }
    }
  }

  private static void assertNextTo(Parameters parameters, String first, String second) {
    MemorySegment before = memory(parameters, first);
    assertEquals(before.address() + before.byteSize(), memory(parameters, second).address());
  }

  private static MemorySegment memory(Parameters parameters, String module) {
    List<String> names =
        DecoderParameters.of(parameters.spec()).stream().map(DecoderSpec.Parameter::name).toList();
    int index = names.indexOf("model.layers.1." + module + ".weight");
    return TensorMemory.of(parameters.tensors().get(index));
  }

  /** The bytes that files would hold; closes the parameters. */
  private static List<byte[]> stored(Parameters parameters) {
    try (parameters;
        Arena arena = Arena.ofConfined()) {
      List<byte[]> bytes = new ArrayList<>();
      for (StoredTensor tensor : parameters.stored()) {
        bytes.add(tensor.map(arena).toArray(ValueLayout.JAVA_BYTE));
      }
      return bytes;
    }
  }
}
