package roll.parallel;

import java.util.ArrayList;
import java.util.List;
import roll.torch.Device;

/**
 * Devices of one thread each that ranks use one after the other. A device compiles a kernel once,
 * and measures the products of linear layers once.
 */
final class RankDevices implements AutoCloseable {
  private final List<Device> all = new ArrayList<>();

  /** The first {@code count} of them. */
  List<Device> first(int count) {
    while (all.size() < count) {
      all.add(Device.cpu(1));
    }
    return List.copyOf(all.subList(0, count));
  }

  @Override
  public void close() {
    all.forEach(Device::close);
  }
}
