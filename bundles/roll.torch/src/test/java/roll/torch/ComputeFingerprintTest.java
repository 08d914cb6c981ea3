package roll.torch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import roll.api.strategy.NumericsInfo.Change;
import roll.torch.LinearBackends.Shape;

/** Tests the recorded conditions of exact bits. */
final class ComputeFingerprintTest {
  private static final Shape DOWN = new Shape(896, 4864);
  private static final Shape KEYS = new Shape(128, 896);

  private static ComputeFingerprint machine(String processor, int threads, Shape... onednn) {
    return new ComputeFingerprint(processor, "2.7.1", threads, sorted(onednn));
  }

  private static SortedSet<Shape> sorted(Shape... shapes) {
    return new TreeSet<>(List.of(shapes));
  }

  @Test
  void isOneLine() {
    assertEquals(
        "AMD EPYC 9R45, libtorch 2.7.1, 1 thread, linear layers by oneDNN: 128x896, 896x4864",
        machine("AMD EPYC 9R45", 1, DOWN, KEYS).toString());
    assertEquals(
        "aarch64, libtorch 2.7.1, 2 threads, no linear layers by oneDNN",
        machine("aarch64", 2).toString());
  }

  @Test
  void namesWhatChanged() {
    ComputeFingerprint before = machine("AMD EPYC 9R45", 2, DOWN);
    assertEquals(List.of(), machine("AMD EPYC 9R45", 2, DOWN).changesSince(before));
    assertEquals(
        List.of(new Change("AMD EPYC 9R45", "aarch64"), new Change("2 threads", "8 threads")),
        machine("aarch64", 8, DOWN).changesSince(before));
    assertEquals(
        List.of(
            new Change("libtorch 2.7.1", "libtorch 2.8.0"),
            new Change("linear layers by oneDNN: 896x4864", "no linear layers by oneDNN")),
        new ComputeFingerprint("AMD EPYC 9R45", "2.8.0", 2, sorted()).changesSince(before));
  }

  @Test
  void isWhereADeviceComputes() {
    try (Device device = Device.cpu(1)) {
      ComputeFingerprint here =
          device.call(() -> ComputeFingerprint.of(device, Set.of(new Shape(96, 96))));
      assertEquals(Processor.name(), here.processor());
      assertTrue(here.libtorch().matches("\\d+\\.\\d+\\.\\d+.*"), here.libtorch());
      assertEquals(1, here.threads());
      assertEquals(
          List.of(),
          here.changesSince(device.call(() -> ComputeFingerprint.of(device, here.onednn()))));
    }
  }
}
