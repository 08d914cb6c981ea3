package roll.torch.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Attention;
import roll.api.model.Rope;
import roll.torch.Device;
import roll.torch.Precision;

final class RotaryTableTest {
  private static DecoderSpec spec(Rope rope) {
    return new DecoderSpec(
        "test", 8, 4, 4, 1, new Attention(1, 1, 4), rope, 100_000, 1e-6, Set.of(), 0.1);
  }

  @Test
  void bothHalvesTurnByTheSameAngles() {
    DecoderSpec spec = spec(new Rope(List.of(1f, 0.5f), 2));
    float[] cos = RotaryTable.values(spec, 3, true);
    float[] sin = RotaryTable.values(spec, 3, false);
    assertArrayEquals(new float[] {2, 2, 2, 2}, Arrays.copyOf(cos, 4));
    float two = (float) (2 * Math.cos(2));
    float one = (float) (2 * Math.cos(1));
    assertArrayEquals(new float[] {two, one, two, one}, Arrays.copyOfRange(cos, 8, 12));
    two = (float) (2 * Math.sin(2));
    one = (float) (2 * Math.sin(1));
    assertArrayEquals(new float[] {-two, -one, two, one}, Arrays.copyOfRange(sin, 8, 12));
  }

  /** 99,999 · 0.1 is 9999.9 in f64, but 9999.900390625 as a product of 32-bit numbers. */
  @Test
  void anglesAreRoundedTo32Bits() {
    float[] cos = RotaryTable.values(spec(new Rope(List.of(0.1f, 1f), 1)), 100_000, true);
    assertEquals((float) Math.cos(9999.900390625), cos[99_999 * 4]);
  }

  @Test
  void itGrowsAsFarAsTheModelGoes() {
    try (Device device = Device.cpu(1)) {
      device.call(
          () -> {
            DecoderSpec spec = spec(Rope.standard(100, 4));
            try (RotaryTable table = new RotaryTable(device, spec)) {
              Shape first = table.cos().getShape();
              table.reach(7);
              assertEquals(first, table.cos().getShape());
              table.reach(1000);
              assertEquals(new Shape(1000, 1, 4), table.sin().getShape());
              assertArrayEquals(RotaryTable.values(spec, 1000, false), table.sin().toFloatArray());
              table.reach(1001);
              assertEquals(new Shape(2000, 1, 4), table.cos().getShape());
              table.reach(99_000);
              table.reach(99_001);
              assertEquals(new Shape(100_000, 1, 4), table.cos().getShape());
              assertThrows(IllegalArgumentException.class, () -> table.reach(100_001));
            }
            return true;
          });
    }
  }

  /** One of four frequencies belongs to time, one to height, two to width. */
  @Test
  void tokensMayHaveThreePositions() {
    Rope rope = new Rope(List.of(1f, 0.5f, 0.25f, 0.1f), 1, List.of(1, 1, 2));
    DecoderSpec spec =
        new DecoderSpec("test", 8, 8, 8, 1, new Attention(1, 1, 8), rope, 100, 1e-6, Set.of(), 0.1);
    try (Device device = Device.cpu(1)) {
      device.call(
          () -> {
            try (NDManager owner = device.newManager();
                Decoder decoder = new Decoder(device, spec, Precision.of(Dtype.FP32), 100)) {
              NDArray positions =
                  owner.create(new long[] {3, 0, 5, 2, 7, 9}, new Shape(3, 2)); // [t, h, w][token]
              NDArray cos =
                  decoder
                      .kernels()
                      .call(owner, "angles_at", decoder.angles(10).cos(), positions)
                      .singletonOrThrow();
              assertEquals(new Shape(2, 1, 8), cos.getShape());
              double[] turned = {3, 5 * 0.5, 7 * 0.25, 7 * 0.1f, 3, 5 * 0.5, 7 * 0.25, 7 * 0.1f};
              float[] found = cos.toFloatArray();
              for (int i = 0; i < 8; i++) {
                assertEquals(Math.cos(turned[i]), found[i], 1e-6);
              }
              return null;
            }
          });
    }
  }
}
