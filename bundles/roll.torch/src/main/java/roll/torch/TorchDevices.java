package roll.torch;

import ai.djl.engine.Engine;
import ai.djl.engine.StandardCapabilities;
import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.api.device.DeviceFacts;
import roll.api.device.DeviceInspector;

/** The cores of this machine, and the cards that libtorch could compute on. */
@Component(name = "roll.torch.inspector", service = DeviceInspector.class)
public final class TorchDevices implements DeviceInspector {
  private final Devices devices;

  /** Speaks of {@code devices}. */
  @Activate
  public TorchDevices(@Reference Devices devices) {
    this.devices = devices;
  }

  @Override
  public List<DeviceFacts> devices() {
    int count = devices.count();
    long memory =
        ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getTotalMemorySize();
    String name = "a core of " + Processor.name();
    return IntStream.range(0, count)
        .mapToObj(i -> new DeviceFacts(i, "cpu", name, memory / count))
        .toList();
  }

  @Override
  public String library() {
    Engine engine = devices.whole().load();
    boolean cuda = engine.hasCapability(StandardCapabilities.CUDA);
    return "libtorch %s for %s".formatted(engine.getVersion(), cuda ? "CUDA" : "the CPU");
  }

  @Override
  public List<String> unused() {
    return Nvml.report().map(TorchDevices::unused).orElse(List.of());
  }

  static List<String> unused(Nvml.Report report) {
    List<String> lines = new ArrayList<>();
    for (Nvml.Card card : report.cards()) {
      lines.add(
          String.format(
              Locale.ROOT,
              "%s, %.3g GiB, driver %s: not used, roll computes on the CPU so far",
              card.name(),
              card.memory() / (double) (1L << 30),
              report.driver()));
    }
    return lines;
  }
}
