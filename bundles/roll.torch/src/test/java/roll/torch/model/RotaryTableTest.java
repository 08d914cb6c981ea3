package roll.torch.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import ai.djl.ndarray.types.Shape;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Attention;
import roll.api.model.Rope;
import roll.torch.Device;

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
}
