package roll.torch.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import ai.djl.pytorch.jni.JniUtils;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Attention;
import roll.api.model.Rope;
import roll.torch.Device;

/** Tests the number of threads of a pass. */
final class SmallForwardTuningTest {
  /** A model whose linear layers have {@code width}² weights each. */
  private static DecoderSpec spec(int width) {
    return new DecoderSpec(
        "qwen2",
        10,
        width,
        width,
        1,
        new Attention(1, 1, width),
        Rope.standard(10_000, width),
        64,
        1e-6,
        Set.of(),
        0.02);
  }

  @ParameterizedTest
  @CsvSource({
    "96, 1, 1",
    "96, 28, 1", // 2¹⁸ products of a layer
    "96, 29, 2",
    "510, 1, 1",
    "512, 1, 2"
  })
  void smallOnesRunOnOne(int width, long tokens, int threads) {
    try (Device device = Device.cpu(2)) {
      device.call(
          () -> {
            SmallForwardTuning passes = new SmallForwardTuning(device, spec(width));
            assertEquals(threads, passes.run(tokens, JniUtils::getNumThreads));
            assertEquals(2, JniUtils.getNumThreads());
            return true;
          });
    }
  }

  @ParameterizedTest
  @CsvSource({"96, 1, true", "96, 3640, true", "96, 3641, false", "512, 1, false"})
  void briefOnesShareACall(int width, long tokens, boolean brief) {
    try (Device device = Device.cpu(1)) {
      SmallForwardTuning passes = device.call(() -> new SmallForwardTuning(device, spec(width)));
      assertEquals(brief, passes.brief(tokens));
    }
  }

  @Test
  void allThreadsAreBackAfterAFailure() {
    try (Device device = Device.cpu(2)) {
      device.call(
          () -> {
            SmallForwardTuning passes = new SmallForwardTuning(device, spec(96));
            assertThrows(
                IllegalStateException.class,
                () ->
                    passes.run(
                        1,
                        () -> {
                          throw new IllegalStateException("no result");
                        }));
            assertEquals(2, JniUtils.getNumThreads());
            return true;
          });
    }
  }

  @Test
  void aDeviceOfOneThreadStaysAtOne() {
    try (Device device = Device.cpu(1)) {
      SmallForwardTuning passes = device.call(() -> new SmallForwardTuning(device, spec(512)));
      assertEquals(1, device.<Integer>call(() -> passes.run(99, JniUtils::getNumThreads)));
    }
  }
}
