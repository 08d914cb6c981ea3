package roll.torch;

import ai.djl.engine.Engine;
import ai.djl.engine.StandardCapabilities;
import java.util.ArrayList;
import java.util.List;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.api.device.DeviceInfo;
import roll.api.device.DeviceInspector;
import roll.text.ByteSize;
import roll.torch.foreign.CudaDriver;
import roll.torch.foreign.Nvml;

/** Describes the cards that libtorch computes on, and the cores of this machine. */
@Component(name = "roll.torch.inspector", service = DeviceInspector.class)
public final class TorchDevices implements DeviceInspector {
  private final Devices devices;

  /** Creates the inspector of {@code devices}. */
  @Activate
  public TorchDevices(@Reference Devices devices) {
    this.devices = devices;
  }

  @Override
  public List<DeviceInfo> devices(int count) {
    List<DeviceInfo> facts = new ArrayList<>();
    List<CudaDriver.Card> cards = devices.cardCount() == 0 ? List.of() : CudaDriver.cards();
    int all = devices.all(count);
    for (CudaDriver.Card card : cards.subList(0, Math.min(cards.size(), all))) {
      String name = "%s, compute capability %s".formatted(card.name(), card.capability());
      facts.add(new DeviceInfo(facts.size(), "cuda", name, card.memory()));
    }
    int first = facts.size();
    if (first < all) {
      String cores = (count == 0 ? "a core of " : "a share of the cores of ") + Processor.name();
      long memory = devices.memory(first, count); // of each: they are alike
      for (int number = first; number < all; number++) {
        facts.add(new DeviceInfo(number, "cpu", cores, memory));
      }
    }
    return facts;
  }

  @Override
  public boolean multipliesBf16() {
    return Processor.multipliesBf16();
  }

  @Override
  public String library() {
    Engine engine = devices.whole().load();
    boolean cuda = engine.hasCapability(StandardCapabilities.CUDA);
    EngineService service = devices.service();
    String chosen = service == null ? "" : service.chosen();
    return "libtorch %s for %s%s"
        .formatted(
            engine.getVersion(), cuda ? "CUDA" : "the CPU", chosen.isEmpty() ? "" : ": " + chosen);
  }

  @Override
  public List<String> unused() {
    EngineService service = devices.service();
    List<String> lines = new ArrayList<>(service == null ? List.of() : service.passedOver());
    if (devices.cardCount() == 0) {
      lines.addAll(Nvml.report().map(TorchDevices::unused).orElse(List.of()));
    }
    return lines;
  }

  static List<String> unused(Nvml.Report report) {
    List<String> lines = new ArrayList<>();
    for (Nvml.Card card : report.cards()) {
      lines.add(
          "%s, %s, driver %s: not used, because libtorch was built for the CPU (docs/gpu.md)"
              .formatted(card.name(), ByteSize.of(card.memory()), report.driver()));
    }
    return lines;
  }
}
