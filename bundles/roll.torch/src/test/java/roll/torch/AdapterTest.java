package roll.torch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import roll.api.config.LoraConfig;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.model.Adapter;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Trait;
import roll.api.strategy.Scores;
import roll.api.strategy.TokenBatch;
import roll.decoder.DecoderParameters;
import roll.huggingface.LoraTargets;
import roll.testkit.SmallDecoder;
import roll.torch.model.AdapterMerger;
import roll.torch.model.Decoder;
import roll.torch.model.Head;
import roll.torch.model.Parameters;
import roll.torch.model.Scorer;
import roll.torch.training.ForwardBackward;
import roll.torch.training.ParameterGradients;

/** Models with low-rank adapters; their gradients are in {@link GradientTest}. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class AdapterTest {
  private static final DecoderSpec BASE =
      SmallDecoder.decoder(11, 16, 24, 2, 4, 2, EnumSet.complementOf(EnumSet.of(Trait.VALUE_HEAD)));
  private static final TokenBatch BATCH = SmallDecoder.batch();

  @AutoClose private final Device device = Device.cpu(1);

  private static DecoderSpec spec(double dropout, String... targets) {
    LoraConfig lora = new LoraConfig(3, 6, dropout, List.of(targets));
    return BASE.with(LoraTargets.of(BASE, "here", lora));
  }

  private Scores score(Decoder decoder, Parameters parameters) {
    return new Scorer(device, decoder, 1000).score(parameters, BATCH);
  }

  private Scores score(Parameters parameters) {
    try (Decoder decoder = new Decoder(device, parameters.spec(), Precision.of(Dtype.FP32), 16)) {
      return score(decoder, parameters);
    }
  }

  private static void assertSame(Scores expected, Scores found, double bound) {
    assertArrayEquals(expected.logProbs(), found.logProbs(), bound);
    assertArrayEquals(expected.entropies(), found.entropies(), bound);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "all-linear",
        "q_proj,k_proj,v_proj",
        "o_proj",
        "gate_proj,up_proj,down_proj",
        "model.layers.1.mlp.up_proj",
        "model.layers.0.self_attn.q_proj,model.layers.1.self_attn.v_proj"
      })
  void mergedEqualsApplied(String targets) {
    DecoderSpec spec = spec(0.5, targets.split(","));
    device.call(
        () -> {
          Parameters adapted = AdaptedParameters.random(device, spec, 3);
          Scores applied = score(adapted);
          try (Parameters base = Parameters.random(device, BASE, 3)) {
            assertTrue(far(score(base), applied), "the adapters change nothing");
          }
          AdapterMerger.merge(device, adapted);
          try (Decoder off =
              Decoder.withoutAdapters(device, spec, Precision.of(Dtype.FP32), 16, null)) {
            assertSame(applied, score(off, adapted), 1e-5);
          } finally {
            adapted.close();
          }
          return null;
        });
  }

  private static boolean far(Scores a, Scores b) {
    return !Arrays.equals(a.logProbs(), b.logProbs())
        && Math.abs(a.logProbs()[2] - b.logProbs()[2]) > 1e-3;
  }

  @Test
  void addsTheScaledProduct() {
    DecoderSpec spec = spec(0, "model.layers.1.self_attn.v_proj");
    device.call(
        () -> {
          Parameters adapted = AdaptedParameters.random(device, spec, 3);
          List<String> names = names(spec);
          String module = "model.layers.1.self_attn.v_proj";
          float[] a = floats(adapted, names.indexOf(module + Adapter.A));
          float[] b = floats(adapted, names.indexOf(module + Adapter.B));
          int weight = names.indexOf(module + ".weight");
          float[] before = floats(adapted, weight);
          AdapterMerger.merge(device, adapted);
          try (adapted) {
            float[] after = floats(adapted, weight);
            for (int out = 0; out < 8; out++) {
              for (int in = 0; in < 16; in++) {
                double sum = before[out * 16 + in];
                for (int r = 0; r < 3; r++) {
                  sum += 2.0 * b[out * 3 + r] * a[r * 16 + in];
                }
                assertEquals(sum, after[out * 16 + in], 1e-6);
              }
            }
          }
          return null;
        });
  }

  @ParameterizedTest
  @EnumSource(Dtype.class)
  void offTheyLeaveTheBaseModel(Dtype dtype) {
    DecoderSpec spec = spec(0.5, "all-linear");
    device.call(
        () -> {
          try (Parameters base = Parameters.random(device, BASE, 3);
              Parameters adapted = AdaptedParameters.random(device, spec, 3);
              Decoder plain = new Decoder(device, BASE, Precision.of(dtype), 16);
              Decoder off = Decoder.withoutAdapters(device, spec, Precision.of(dtype), 16, null)) {
            assertSame(score(plain, base), score(off, adapted), 0);
          }
          return null;
        });
  }

  @Test
  void newOnesChangeNothingAndAloneAreTrained() {
    DecoderSpec spec = spec(0.5, "q_proj", "model.layers.1.mlp.down_proj");
    device.call(
        () -> {
          Parameters base = Parameters.random(device, BASE, 3);
          Scores before = score(base);
          try (Parameters adapted = base.with(spec.adapter(), 5)) {
            assertSame(before, score(adapted), 0);
            assertEquals(
                List.of(
                    "model.layers.0.self_attn.q_proj.lora_A.weight",
                    "model.layers.0.self_attn.q_proj.lora_B.weight",
                    "model.layers.1.self_attn.q_proj.lora_A.weight",
                    "model.layers.1.self_attn.q_proj.lora_B.weight",
                    "model.layers.1.mlp.down_proj.lora_A.weight",
                    "model.layers.1.mlp.down_proj.lora_B.weight"),
                adapted.trained().names());
            float[] a = adapted.trained().tensors().get(0).toFloatArray();
            float[] b = adapted.trained().tensors().get(1).toFloatArray();
            assertArrayEquals(new float[16 * 3], b);
            double largest = 0;
            for (float number : a) {
              largest = Math.max(largest, Math.abs(number));
            }
            // 48 numbers, uniform within 1 / sqrt(16)
            assertTrue(largest <= 0.25 && largest > 0.2, "largest of A: " + largest);
          }
          return null;
        });
  }

  @Test
  void theSeedDecidesWhatIsDropped() {
    assertSeedDecides(device);
  }

  @Test
  void theSeedDecidesWhatIsDroppedOnACard() {
    try (Device card = card()) {
      assertSeedDecides(card);
    }
  }

  private static Device card() {
    return Device.cpuWithCardTexts(1, new CardOperators(null, null, null), null);
  }

  /** TorchScript cannot create a generator of CUDA ({@code make_generator_for_device}). */
  @Test
  void textsForCardsCreateNoGenerator() {
    try (Device card = card()) {
      List<String> sources =
          card.call(() -> Decoder.sources(card, spec(0.3, "q_proj"), Precision.of(Dtype.BF16)));
      assertTrue(sources.stream().noneMatch(source -> source.contains("torch.Generator(")));
    }
  }

  private static void assertSeedDecides(Device device) {
    device.call(
        () -> {
          try (Decoder decoder =
                  new Decoder(device, spec(0.3, "q_proj"), Precision.of(Dtype.FP32), 16);
              NDManager manager = device.newManager()) {
            float[] some = dropped(decoder, manager, 5);
            assertArrayEquals(some, dropped(decoder, manager, 5));
            float[] others = dropped(decoder, manager, 6);
            int same = 0;
            int kept = 0;
            for (int i = 0; i < some.length; i++) {
              same += some[i] == others[i] ? 1 : 0;
              kept += some[i] == 1 ? 1 : 0;
            }
            // 100,000 draws: a deviation of 0.01 is more than six standard deviations
            assertEquals(0.7, kept / 1e5, 0.01);
            assertEquals(0.7 * 0.7 + 0.3 * 0.3, same / 1e5, 0.01);
          }
          return null;
        });
  }

  private static float[] dropped(Decoder decoder, NDManager manager, int seed) {
    return decoder
        .kernels()
        .call(manager, "dropout", manager.ones(new Shape(100, 1000)), seed)
        .singletonOrThrow()
        .toFloatArray();
  }

  @Test
  void onlyTrainingDrops() {
    DecoderSpec with = spec(0.5, "all-linear");
    DecoderSpec without = spec(0, "all-linear");
    device.call(
        () -> {
          try (Parameters dropping = AdaptedParameters.random(device, with, 3);
              Parameters keeping = AdaptedParameters.random(device, without, 3)) {
            assertSame(score(keeping), score(dropping), 0);
            double[] some = forward(dropping, 1L << 40);
            assertArrayEquals(some, forward(dropping, 1L << 40));
            assertFalse(Arrays.equals(some, forward(dropping, 2L << 40)));
            assertArrayEquals(forward(keeping, 1L << 40), forward(keeping, 2L << 40));
            assertArrayEquals(score(keeping).logProbs(), forward(keeping, 1L << 40), 1e-5);
          }
          return null;
        });
  }

  /** Log-probs as training computes them. */
  private double[] forward(Parameters parameters, long seed) {
    try (Decoder decoder = new Decoder(device, parameters.spec(), Precision.of(Dtype.FP32), 16);
        ParameterGradients gradients = new ParameterGradients(device, parameters);
        ForwardBackward passes =
            new ForwardBackward(device, decoder, Head.of(decoder), parameters, gradients, false)) {
      return passes.forward(BATCH, MicroBatch.of(BATCH, new int[] {0, 1, 2}), seed)[0];
    }
  }

  @Test
  void theScaleIsAlphaByRankOrItsRoot() {
    Set<String> modules = Set.of("model.layers.0.self_attn.q_proj");
    assertEquals(4, new Adapter(4, 16, false, 0, modules).scale());
    assertEquals(8, new Adapter(4, 16, true, 0, modules).scale());
  }

  private static List<String> names(DecoderSpec spec) {
    return DecoderParameters.of(spec).stream().map(DecoderSpec.Parameter::name).toList();
  }

  private static float[] floats(Parameters parameters, int index) {
    return parameters.memory(index).toArray(ValueLayout.JAVA_FLOAT);
  }
}
