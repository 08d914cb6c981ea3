package roll.ui.system;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import roll.api.device.DeviceInfo;
import roll.api.device.DeviceInspector;
import roll.api.option.UserException;
import roll.runtime.pipeline.Trainer;
import roll.runtime.pipeline.TrainingRun;

/** The memory of the process and of devices, now and over the last hour. */
final class DevicesPage {
  /** Bytes. */
  static final double MEGABYTE = 1 << 20;

  private static final Duration A_MINUTE = Duration.ofMinutes(1);

  private final Supplier<@Nullable DeviceInspector> inspector;
  private final Trainer trainer;
  private final MemoryHistory history = new MemoryHistory(System::currentTimeMillis);
  private final Kept<Facts> facts = new Kept<>(A_MINUTE, this::facts);

  /**
   * Of the devices of {@code inspector}, which may come and go, and the runs of {@code trainer}.
   */
  DevicesPage(Supplier<@Nullable DeviceInspector> inspector, Trainer trainer) {
    this.inspector = inspector;
    this.trainer = trainer;
  }

  /** What hardly changes. */
  private record Facts(List<DeviceInfo> devices, @Nullable String library, List<String> unused) {}

  /**
   * All of it.
   *
   * @param cores that this process may use
   * @param library that computes; null where there is none
   * @param unused what the machine has and is not computed on, a line each
   */
  record View(
      ProcessSize process,
      int cores,
      List<Device> devices,
      @Nullable String library,
      List<String> unused,
      MemoryHistory.View history) {}

  /**
   * A device.
   *
   * @param index number that {@code device_mapping} names it by; -1 for the CPU as a whole
   */
  record Device(int index, String kind, String name, Memory memory) {}

  /**
   * Megabytes of a device.
   *
   * @param total that it has
   * @param held that models of active runs held in their last step, at most
   * @param expected what the plans of these runs say
   * @param reserved in use of a card, whoever uses it
   */
  record Memory(
      double total, @Nullable Double held, @Nullable Double expected, @Nullable Double reserved) {}

  /** At this moment. */
  View view() throws InterruptedException {
    Map<Integer, HeldMemory> held = held();
    ProcessSize process = ProcessSize.now();
    history.note(process.resident(), held);
    Facts known = facts.get();
    List<Device> devices = new ArrayList<>();
    HeldMemory whole = held.get(HeldMemory.CPU);
    if (whole != null) {
      devices.add(device(new DeviceInfo(HeldMemory.CPU, "cpu", "all cores", machine()), whole));
    }
    for (DeviceInfo device : known.devices()) {
      devices.add(device(device, held.getOrDefault(device.number(), HeldMemory.NONE)));
    }
    return new View(
        process,
        Runtime.getRuntime().availableProcessors(),
        devices,
        known.library(),
        known.unused(),
        history.view());
  }

  /** Notes what is held now, for the history. */
  void note() {
    history.note(ProcessSize.now().resident(), held());
  }

  private Map<Integer, HeldMemory> held() {
    List<TrainingRun> active =
        trainer.runs().stream().filter(run -> run.status().state().active()).toList();
    return HeldMemory.of(active);
  }

  private Facts facts() {
    DeviceInspector known = inspector.get();
    if (known == null) {
      return new Facts(List.of(), null, List.of());
    }
    try {
      return new Facts(known.devices(), known.library(), known.unused());
    } catch (UserException e) {
      return new Facts(List.of(), null, List.of(e.getMessage()));
    }
  }

  private static Device device(DeviceInfo facts, HeldMemory memory) {
    return new Device(
        facts.number(),
        facts.kind(),
        facts.name(),
        new Memory(facts.memory() / MEGABYTE, memory.held(), memory.expected(), memory.reserved()));
  }

  private static long machine() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getTotalMemorySize();
  }
}
