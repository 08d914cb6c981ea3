package roll.torch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static roll.testkit.UserErrors.userError;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Trait;
import roll.testkit.SmallDecoder;
import roll.torch.model.Decoder;
import roll.torch.model.Head;
import roll.torch.model.Parameters;
import roll.torch.model.TokenHead;
import roll.torch.model.TrainedParameters;

/**
 * Gradients do not depend on chunks, micro-batches, frozen parameters, checkpointing or packing.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class SameGradientsTest {
  @AutoClose private final Device device = Device.cpu(1);
  private final LinearLoss loss = new LinearLoss(device);

  @ParameterizedTest
  @CsvSource({"1, 0", "22, 0", "22, 1000", "1000, 1000"})
  void chunksAndPartsDoNotChangeGradients(long chunk, long keep) {
    DecoderSpec spec = SmallDecoder.decoder(11, 16, 24, 2, 4, 2, LinearLoss.ALL);
    device.call(
        () -> {
          try (Parameters parameters = Parameters.random(device, spec, 3);
              Decoder decoder = new Decoder(device, spec, Precision.of(Dtype.FP32), 16)) {
            List<int[]> whole = List.of(new int[] {0, 1, 2});
            List<int[]> parts = List.of(new int[] {2}, new int[] {0, 1});
            double[][] expected = loss.gradients(parameters, decoder, Head.of(decoder), whole);
            Head head = new TokenHead(decoder.kernels(), 11, chunk, keep);
            double[][] found = loss.gradients(parameters, decoder, head, parts);
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
    DecoderSpec spec = SmallDecoder.decoder(11, 16, 24, 2, 4, 2, Set.of(trait));
    device.call(
        () -> {
          try (Parameters parameters = Parameters.random(device, spec, 3);
              Decoder decoder = new Decoder(device, spec, Precision.of(Dtype.FP32), 16)) {
            List<int[]> parts = List.of(new int[] {2}, new int[] {0, 1});
            Head head = Head.of(decoder);
            double[][] whole = loss.gradients(parameters, decoder, head, parts);
            try (Parameters others = Parameters.random(device, spec, 3)) {
              List<Integer> trained = TrainedParameters.allBut(spec, "here", List.of(prefix));
              others.train(trained);
              double[][] some = loss.gradients(others, decoder, head, parts);
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

  @Test
  void refusesToFreezeNothingOrEverything() {
    DecoderSpec spec = SmallDecoder.decoder(11, 16, 24, 2, 4, 2, Set.of());
    assertEquals(
        "here: no parameter of the model begins with 'model.layer.0';"
            + " did you mean 'model.layers.0'?",
        userError(() -> TrainedParameters.allBut(spec, "here", List.of("model.layer.0"))));
    assertEquals(
        "here: freezes the whole model, nothing is left to train",
        userError(() -> TrainedParameters.allBut(spec, "here", List.of("lm", "model"))));
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
    Set<Trait> traits = EnumSet.copyOf(LinearLoss.ALL);
    if (frozen.startsWith("lm_head")) {
      traits.remove(Trait.TIED_HEAD);
    }
    DecoderSpec spec = SmallDecoder.decoder(11, 16, 24, 3, 4, 2, traits);
    device.call(
        () -> {
          try (Parameters parameters = Parameters.random(device, spec, 3)) {
            if (!frozen.equals("nothing")) {
              parameters.train(TrainedParameters.allBut(spec, "here", List.of(frozen)));
            }
            loss.assertSameWithCheckpointing(parameters, dtype);
          }
          return null;
        });
  }

  /** Every trait, either head; all is kept, or layers are run again. */
  @ParameterizedTest
  @MethodSource("roll.torch.LinearLoss#traits")
  void packingDoesNotChangeGradients(Set<Trait> traits) {
    DecoderSpec spec = SmallDecoder.decoder(11, 16, 24, 2, 4, 2, traits);
    device.call(
        () -> {
          try (Parameters parameters = Parameters.random(device, spec, 3);
              Decoder decoder = new Decoder(device, spec, Precision.of(Dtype.FP32), 7)) {
            Head head = Head.of(decoder);
            List<int[]> whole = List.of(new int[] {2, 0, 1});
            double[][] expected = loss.gradients(parameters, decoder, head, whole);
            double[][] found = loss.gradients(parameters, decoder, head, whole, false, true);
            double[][] again = loss.gradients(parameters, decoder, head, whole, true, true);
            for (int p = 0; p < expected.length; p++) {
              double norm = Math.sqrt(FiniteDifferences.dot(expected[p], expected[p]));
              assertArrayEquals(expected[p], found[p], 1e-5 * Math.max(1, norm));
              assertArrayEquals(found[p], again[p]);
            }
          }
          return null;
        });
  }
}
