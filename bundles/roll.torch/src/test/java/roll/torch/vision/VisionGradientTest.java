package roll.torch.vision;

import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.model.VisionSpec;
import roll.api.strategy.TokenBatch;
import roll.batching.PrefixTree;
import roll.decoder.DecoderParameters;
import roll.testkit.SmallVisionDecoder;
import roll.torch.Device;
import roll.torch.FiniteDifferences;
import roll.torch.MicroBatch;

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
    "'', true, PACKED",
    "'', false, PADDED",
    "'', true, SHARED",
    "visual, true, PADDED",
    "visual, false, PACKED",
    "visual, false, SHARED",
    "model, false, PACKED",
    "visual.blocks.1, true, PACKED",
    "visual.merger, false, PACKED",
    "visual.patch_embed, true, PACKED"
  })
  void gradientsEqualFiniteDifferences(String trained, boolean checkpointing, Layout layout) {
    check(SmallVisionDecoder.TOWER, trained, checkpointing, layout);
  }

  @ParameterizedTest
  @CsvSource({
    "'', true, SHARED",
    "visual, false, PADDED",
    "model, false, PACKED",
    "visual.pos_embed, true, PACKED",
    "visual.deepstack_merger_list.0, false, PACKED"
  })
  void deepStackToo(String trained, boolean checkpointing, Layout layout) {
    check(SmallVisionDecoder.DEEP_TOWER, trained, checkpointing, layout);
  }

  private void check(VisionSpec vision, String trained, boolean checkpointing, Layout layout) {
    TokenBatch batch = layout == Layout.SHARED ? pairs() : SmallVisionDecoder.batch();
    device.call(
        () -> {
          try (DoubleVisionModel model =
              new DoubleVisionModel(device, vision, batch, layout.microBatch(batch))) {
            Map<Integer, double[]> gradients = model.gradients(trained, checkpointing);
            assertFalse(gradients.isEmpty());
            gradients.forEach((index, gradient) -> check(model, index, gradient));
          }
          return null;
        });
  }

  /** Layout of the samples of a micro-batch. */
  enum Layout {
    /** One row for each sample. */
    PADDED,
    /** All samples in one row. */
    PACKED,
    /** All samples in one row, common prefixes once. */
    SHARED;

    MicroBatch microBatch(TokenBatch batch) {
      int[] samples = IntStream.range(0, batch.samples()).toArray();
      int imageToken = SmallVisionDecoder.TOWER.imageToken();
      return this == SHARED
          ? MicroBatch.shared(batch, samples, PrefixTree.of(batch, samples, imageToken, 1), 1)
          : MicroBatch.of(batch, samples, this == PACKED);
    }
  }

  /** Returns every sample twice, the second time with another last token. */
  private static TokenBatch pairs() {
    TokenBatch batch = SmallVisionDecoder.batch();
    int count = batch.samples();
    TokenBatch twice = batch.select(IntStream.range(0, 2 * count).map(i -> i % count).toArray());
    for (int i = count; i < 2 * count; i++) {
      twice.tokens()[twice.offsets()[i + 1] - 1] ^= 1;
    }
    return twice;
  }

  private static void check(DoubleVisionModel model, int index, double[] gradient) {
    String name = DecoderParameters.of(model.spec).get(index).name();
    FiniteDifferences.assertGradient(name, gradient, model.weights.get(index), model::loss, 2e-7);
  }
}
