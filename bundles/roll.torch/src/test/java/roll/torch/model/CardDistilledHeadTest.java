package roll.torch.model;

import static org.junit.jupiter.api.Assertions.assertEquals;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import java.util.Set;
import org.junit.jupiter.api.Test;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.model.DecoderSpec;
import roll.api.scoring.GeneralizedJsd;
import roll.testkit.SmallDecoder;
import roll.testkit.WrittenFlash;
import roll.torch.CardOperators;
import roll.torch.Device;
import roll.torch.Precision;

/** The same by the kernel texts for cards. */
final class CardDistilledHeadTest extends DistilledHeadTest {
  private static final int ROWS = 9;

  /** A product that fails with fewer rows than all. */
  private static final String WHOLE =
      """
      def wide_product(self, x: Tensor, w: Tensor) -> Tensor:
        assert x.shape[0] == %d
        return torch.mm(x, w.t())
      """
          .formatted(ROWS);

  @Override
  Device device() {
    return Device.cpuWithCardTexts(
        1, new CardOperators(WrittenFlash.source(), WrittenFlash.wideProduct(), null), null);
  }

  /** Each chunk reads the weights of both heads: one row at a time would take long on a card. */
  @Test
  void chunksHaveManyRows() {
    DecoderSpec spec = SmallDecoder.decoder(7, 4, 4, 1, 1, 1, Set.of());
    try (Device device =
        Device.cpuWithCardTexts(1, new CardOperators(WrittenFlash.source(), WHOLE, null), null)) {
      device.call(
          () -> {
            try (Decoder decoder = new Decoder(device, spec, Precision.of(Dtype.FP32), 16);
                NDManager manager = device.newManager()) {
              NDArray rows = manager.ones(new Shape(ROWS, 4));
              NDArray weight = manager.ones(new Shape(7, 4));
              TeacherRows taught = new TeacherRows(rows, weight, new GeneralizedJsd(0.5, 1, 1, 0));
              Head head = new TokenHead(decoder.kernels(), 7, 1, 1).distilled(taught);
              NDArray targets = manager.create(new long[ROWS]);
              Head.Output output = head.forward(manager, new NDList(weight), rows, targets, true);
              assertEquals(ROWS, output.columns().getLast().size());
            }
            return true;
          });
    }
  }
}
