package roll.api.device;

import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/** Lists the devices of a compute layer; the layer registers it as a service. */
@ProviderType
public interface DeviceInspector {
  /**
   * Returns the devices by number; at least one.
   *
   * @param count number of devices set by a run ({@code num_gpus_per_node} times {@code
   *     num_nodes}), or 0 if it sets none
   */
  List<DeviceInfo> devices(int count);

  /** Returns the devices if a run does not set their number. */
  default List<DeviceInfo> devices() {
    return devices(0);
  }

  /**
   * Whether this machine's CPU has bf16 matrix instructions; true if unknown. Without them fp32 is
   * many times faster.
   */
  default boolean multipliesBf16() {
    return true;
  }

  /**
   * Name, version, and build target of the compute library.
   *
   * @throws roll.api.option.UserException if it cannot be loaded
   */
  String library();

  /** One line with the reason for each device of the machine that is not used; often empty. */
  List<String> unused();
}
