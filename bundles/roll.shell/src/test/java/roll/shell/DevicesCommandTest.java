package roll.shell;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import roll.api.device.DeviceInfo;
import roll.api.device.DeviceInspector;
import roll.api.option.UserException;

class DevicesCommandTest {
  private static final DeviceInspector INSPECTOR =
      new DeviceInspector() {
        @Override
        public List<DeviceInfo> devices(int count) {
          return List.of(
              new DeviceInfo(0, "cpu", "a core of X", 3L << 30),
              new DeviceInfo(1, "cpu", "a core of X", 3L << 29));
        }

        @Override
        public String library() {
          return "libtorch 1.2.3 for the CPU";
        }

        @Override
        public List<String> unused() {
          return List.of("Card A: not used");
        }
      };

  @Test
  void listsDevicesTheLibraryAndWhatIsNotUsed() throws Exception {
    try (Gogo gogo = new Gogo(new DevicesCommand(INSPECTOR), "devices")) {
      assertEquals(
          """
          device  kind  name         memory
          0       cpu   a core of X  3.00 GiB
          1       cpu   a core of X  1.50 GiB
          libtorch 1.2.3 for the CPU
          Card A: not used
          memory: what plan and gpu_memory_utilization count for a role on the device; a role \
          without device_mapping has the whole machine
          num_gpus_per_node sets the number of devices, device_memory_gb the memory of each\
          """,
          gogo.run("devices"));
    }
  }

  @Test
  void jsonHasTheSame() throws Exception {
    try (Gogo gogo = new Gogo(new DevicesCommand(INSPECTOR), "devices")) {
      assertEquals(
          "{\"devices\":["
              + "{\"number\":0,\"kind\":\"cpu\",\"name\":\"a core of X\",\"memory\":3221225472},"
              + "{\"number\":1,\"kind\":\"cpu\",\"name\":\"a core of X\",\"memory\":1610612736}],"
              + "\"library\":\"libtorch 1.2.3 for the CPU\",\"unused\":[\"Card A: not used\"]}",
          gogo.run("devices --json"));
    }
  }

  @Test
  void withoutAComputeLayerThereIsNone() throws Exception {
    try (Gogo gogo = new Gogo(new DevicesCommand(null), "devices")) {
      assertEquals(
          "devices: this distribution lacks the bundle roll.torch, which the command needs",
          assertThrows(UserException.class, () -> gogo.run("devices")).getMessage());
    }
  }
}
