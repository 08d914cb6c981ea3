package roll.torch;

import ai.djl.engine.Engine;
import java.util.List;
import org.osgi.service.component.ComponentServiceObjects;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import roll.api.config.UserException;

/**
 * The devices of this process. Roles that ask for the same device get the same compute thread, so
 * that they can share tensors without a copy.
 */
@Component(name = "roll.torch.devices", service = Devices.class)
public final class Devices {
  private final Device cpu;

  /** The CPU, with the engine fetched when it first computes. */
  @Activate
  public Devices(@Reference ComponentServiceObjects<Engine> engines) {
    this(new Device(engines::getService, Runtime.getRuntime().availableProcessors()));
  }

  /** A registry of one given device. */
  public Devices(Device cpu) {
    this.cpu = cpu;
  }

  /**
   * The device for {@code numbers}; empty means the CPU.
   *
   * @throws UserException if there is no such device
   */
  public Device of(List<Integer> numbers) {
    if (!numbers.isEmpty()) {
      throw new UserException(
          "device_mapping: "
              + numbers
              + " asks for accelerators, this machine computes on the CPU;"
              + " leave the key out");
    }
    return cpu;
  }

  /** Ends the compute threads. */
  @Deactivate
  public void close() {
    cpu.close();
  }
}
