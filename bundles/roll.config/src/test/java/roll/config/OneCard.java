package roll.config;

import java.util.List;
import roll.api.device.DeviceInfo;
import roll.api.device.DeviceInspector;

/**
 * A machine of one card and two cores.
 *
 * @param multipliesBf16 whether the cores do
 */
record OneCard(boolean multipliesBf16) implements DeviceInspector {
  @Override
  public List<DeviceInfo> devices(int count) {
    return List.of(
        new DeviceInfo(0, "cuda", "a card", 8L << 30),
        new DeviceInfo(1, "cpu", "a core", 1L << 30),
        new DeviceInfo(2, "cpu", "a core", 1L << 30));
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
