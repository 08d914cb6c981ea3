package roll.torch.vision;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.djl.ndarray.NDManager;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import roll.api.image.ImageGrid;
import roll.api.image.ImagePatches;
import roll.api.image.ImageSize;
import roll.testkit.SmallVisionDecoder;
import roll.torch.Device;

final class TowerInputTest {
  /** A picture of {@code side} by {@code side} patches, each the number {@code value}. */
  private static ImagePatches picture(int side, float value) {
    float[] values = new float[side * side * SmallVisionDecoder.TOWER.patchSize()];
    Arrays.fill(values, value);
    ImageSize size = new ImageSize(2 * side, 2 * side);
    return new ImagePatches(size, size, new ImageGrid(1, side, side), 2, values);
  }

  @Test
  void picturesStandOneBehindTheOther() {
    try (Device device = Device.cpu(1)) {
      float[] patches =
          device.call(
              () -> {
                try (NDManager owner = device.newManager()) {
                  return TowerInput.of(
                          owner,
                          SmallVisionDecoder.TOWER,
                          List.of(picture(2, 1), picture(4, 2)),
                          new long[] {0, 1})
                      .patches()
                      .toFloatArray();
                }
              });
      float[] expected = new float[(4 + 16) * SmallVisionDecoder.TOWER.patchSize()];
      IntStream.range(0, expected.length)
          .forEach(i -> expected[i] = i < 4 * SmallVisionDecoder.TOWER.patchSize() ? 1 : 2);
      assertArrayEquals(expected, patches);
    }
  }

  /** DJL's buffers would be there until the heap is collected, 8 MB for each of these pictures. */
  @Test
  void noBuffersAreLeftBehind() {
    int side = 288;
    ImagePatches large = picture(side, 1);
    long one = Float.BYTES * (long) large.values().length;
    long[] wanted = LongStream.range(0, 4).toArray();
    try (Device device = Device.cpu(1)) {
      long before = buffers();
      for (int i = 0; i < 8; i++) {
        var unused =
            device.call(
                () -> {
                  try (NDManager owner = device.newManager()) {
                    return TowerInput.of(owner, SmallVisionDecoder.TOWER, List.of(large), wanted)
                        .patches()
                        .size();
                  }
                });
      }
      assertTrue(buffers() - before < 2 * one, buffers() - before + " bytes are left");
    }
  }

  private static long buffers() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }
}
