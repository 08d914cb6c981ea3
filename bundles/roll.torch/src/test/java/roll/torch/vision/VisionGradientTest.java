package roll.torch.vision;

import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.decoder.DecoderParameters;
import roll.torch.Device;
import roll.torch.FiniteDifferences;

/**
 * The kernels of tower, merger, layers and head, of samples that show pictures, compiled for f64:
 * their gradients are those of finite differences to seven digits. The loss is linear in log-probs
 * and entropies.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class VisionGradientTest {
  @AutoClose private final Device device = Device.cpu(1);

  /**
   * All is trained, or what begins with {@code trained}: the tower behind a decoder that is not,
   * the decoder behind a tower that is not, and parts of the tower.
   */
  @ParameterizedTest
  @CsvSource({
    "'', true, true",
    "'', false, false",
    "visual, true, false",
    "visual, false, true",
    "model, false, true",
    "visual.blocks.1, true, true",
    "visual.merger, false, true",
    "visual.patch_embed, true, true"
  })
  void gradientsEqualFiniteDifferences(String trained, boolean checkpointing, boolean packed) {
    device.call(
        () -> {
          try (DoubleVisionModel model = new DoubleVisionModel(device, packed)) {
            Map<Integer, double[]> gradients = model.gradients(trained, checkpointing);
            assertFalse(gradients.isEmpty());
            gradients.forEach((index, gradient) -> check(model, index, gradient));
          }
          return null;
        });
  }

  private static void check(DoubleVisionModel model, int index, double[] gradient) {
    String name = DecoderParameters.of(DoubleVisionModel.SPEC).get(index).name();
    FiniteDifferences.assertGradient(name, gradient, model.weights.get(index), model::loss, 2e-7);
  }
}
