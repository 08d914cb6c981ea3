package roll.api.device;

import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/** Says what a compute layer computes on; the layer registers it as a service. */
@ProviderType
public interface DeviceInspector {
  /**
   * The devices there are, by number; at least one.
   *
   * @param count how many a run says there are ({@code num_gpus_per_node} times {@code num_nodes}),
   *     or 0 where it says nothing
   */
  List<DeviceInfo> devices(int count);

  /** The devices there are where a run says nothing. */
  default List<DeviceInfo> devices() {
    return devices(0);
  }

  /**
   * Whether the cores of this machine multiply bf16 by instructions of their own; true also where
   * that is not known. Without such instructions fp32 is many times faster on them.
   */
  default boolean multipliesBf16() {
    return true;
  }

  /**
   * Name and version of the library that computes, and what it was built for.
   *
   * @throws roll.api.option.UserException if it cannot be loaded
   */
  String library();

  /** What the machine has and is not computed on, a line each with the reason; often none. */
  List<String> unused();
}
