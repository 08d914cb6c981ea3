package roll.api.device;

import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/** Says what a compute layer computes on; the layer registers it as a service. */
@ProviderType
public interface DeviceInspector {
  /**
   * The devices there are where {@code num_gpus_per_node} says nothing, by number; at least one.
   */
  List<DeviceFacts> devices();

  /**
   * Name and version of the library that computes, and what it was built for.
   *
   * @throws roll.api.option.UserException if it cannot be loaded
   */
  String library();

  /** What the machine has and is not computed on, a line each with the reason; often none. */
  List<String> unused();
}
