package roll.torch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import roll.torch.foreign.Nvml;

/** Tests the description of this machine's devices. */
final class TorchDevicesTest {
  @Test
  void thisMachineHasACoreAtLeast() {
    Devices devices = Devices.on(Device.cpu(2));
    try {
      TorchDevices inspector = new TorchDevices(devices);
      assertEquals(2, inspector.devices().size());
      assertEquals(1, inspector.devices().getLast().number());
      assertTrue(inspector.devices().getFirst().memory() > 1 << 28);
      assertTrue(inspector.library().startsWith("libtorch 2."), inspector.library());
    } finally {
      devices.close();
    }
  }

  @Test
  void cardsThatAreNotComputedOnAreNamed() {
    List<String> lines =
        TorchDevices.unused(
            new Nvml.Report("570.86.15", List.of(new Nvml.Card("Card A", 80L << 30, 5L << 30))));
    assertEquals(
        List.of(
            "Card A, 80.00 GiB, driver 570.86.15: not used, because libtorch was built for the CPU"
                + " (docs/gpu.md)"),
        lines);
  }
}
