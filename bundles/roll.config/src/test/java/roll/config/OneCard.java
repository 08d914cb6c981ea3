package roll.config;

import java.util.List;
import roll.api.device.DeviceFacts;
import roll.api.device.DeviceInspector;

/**
 * A machine of one card and two cores.
 *
 * @param multipliesBf16 whether the cores do
 */
record OneCard(boolean multipliesBf16) implements DeviceInspector {
  @Override
  public List<DeviceFacts> devices(int count) {
    return List.of(
        new DeviceFacts(0, "cuda", "a card", 8L << 30),
        new DeviceFacts(1, "cpu", "a core", 1L << 30),
        new DeviceFacts(2, "cpu", "a core", 1L << 30));
  }

  @Override
  public String library() {
    throw new AssertionError("nothing is loaded to read a configuration");
  }

  @Override
  public List<String> unused() {
    throw new AssertionError("not asked");
  }
}
