package roll.torch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import roll.api.config.LoraConfig;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Trait;
import roll.decoder.DecoderParameters;
import roll.huggingface.LoraTargets;
import roll.testkit.SmallDecoder;
import roll.torch.model.Decoder;
import roll.torch.model.Head;
import roll.torch.model.Parameters;
import roll.torch.model.TokenHead;

/** Gradients through head and layers against finite differences. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class GradientTest {
  @AutoClose private final Device device = Device.cpu(1);
  private final LinearLoss loss = new LinearLoss(device);

  @ParameterizedTest
  @MethodSource("roll.torch.LinearLoss#traits")
  void gradientsEqualFiniteDifferences(Set<Trait> traits) {
    DecoderSpec spec = SmallDecoder.decoder(11, 16, 24, 2, 4, 2, traits);
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
    DecoderSpec base = SmallDecoder.decoder(11, 16, 24, 2, 4, 2, LinearLoss.ALL);
    LoraConfig lora = new LoraConfig(3, 6, dropout, List.of(targets.split(", ")));
    DecoderSpec spec = base.with(LoraTargets.of(base, "here", lora));
    device.call(
        () -> {
          try (Parameters parameters = AdaptedParameters.random(device, spec, 3)) {
            compare(parameters);
            loss.assertSameWithCheckpointing(parameters, Dtype.BF16);
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
      double[][] all = loss.gradients(parameters, decoder, Head.of(decoder), parts);
      assertTrue(all.length > 0);
      for (int t = 0; t < all.length; t++) {
        String name = parameters.trained().names().get(t);
        int p = names.indexOf(name);
        double norm = Math.sqrt(FiniteDifferences.dot(all[t], all[t]));
        double[] steepest = LinearLoss.scaled(all[t], 1 / norm);
        double[] random = FiniteDifferences.normal(name, all[t].length);
        double[] any =
            LinearLoss.scaled(random, 1 / Math.sqrt(FiniteDifferences.dot(random, random)));
        double bound = 0.01 * norm + 2e-3;
        assertEquals(norm, loss.slope(parameters, decoder, p, steepest), bound, name);
        assertEquals(
            FiniteDifferences.dot(all[t], any),
            loss.slope(parameters, decoder, p, any),
            bound,
            name);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"0, true, false", "1000, true, false", "1000, false, false", "0, true, true"})
  void bf16GradientsPointTheSameWay(long keep, boolean narrow, boolean wideLogits) {
    DecoderSpec spec = SmallDecoder.decoder(11, 16, 24, 2, 4, 2, LinearLoss.ALL);
    device.call(
        () -> {
          try (Parameters parameters = Parameters.random(device, spec, 3);
              Decoder exact = new Decoder(device, spec, Precision.of(Dtype.FP32), 16);
              Decoder rounded =
                  new Decoder(device, spec, new Precision(Dtype.BF16, wideLogits, 1), 16)) {
            List<int[]> parts = List.of(new int[] {0, 1, 2});
            double[][] a = loss.gradients(parameters, exact, Head.of(exact), parts);
            if (narrow) {
              parameters.narrow(device);
            }
            double[][] b =
                loss.gradients(
                    parameters, rounded, new TokenHead(rounded.kernels(), 11, 1000, keep), parts);
            for (int p = 0; p < a.length; p++) {
              double norms =
                  Math.sqrt(FiniteDifferences.dot(a[p], a[p]) * FiniteDifferences.dot(b[p], b[p]));
              String name = DecoderParameters.of(spec).get(p).name();
              // the bias of keys shifts all scores of a query alike: its gradient is but rounding
              if (!name.endsWith("k_proj.bias")) {
                assertEquals(1, FiniteDifferences.dot(a[p], b[p]) / norms, 0.01, name);
              }
            }
          }
          return null;
        });
  }
}
