package roll.ui.system;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
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
final class DevicesView {
  private static final double MEGABYTE = 1 << 20;

  private static final Duration A_MINUTE = Duration.ofMinutes(1);

  private final Supplier<@Nullable DeviceInspector> inspector;
  private final Trainer trainer;
  private final MemoryHistory history = new MemoryHistory(System::currentTimeMillis);
  private final IntervalCache<Facts> facts = new IntervalCache<>(A_MINUTE, this::facts);

  /** The devices of {@code inspector}, a dynamic service, and the runs of {@code trainer}. */
  DevicesView(Supplier<@Nullable DeviceInspector> inspector, Trainer trainer) {
    this.inspector = inspector;
    this.trainer = trainer;
  }

  /** Facts that rarely change. */
  private record Facts(List<DeviceInfo> devices, @Nullable String library, List<String> unused) {}

  /**
   * Memory of the process and of all devices.
   *
   * @param cores that this process may use
   * @param library for computation, or null
   * @param unused a line for each device that is not used
   */
  record View(
      ProcessMemory process,
      int cores,
      List<Device> devices,
      @Nullable String library,
      List<String> unused,
      MemoryHistory.View history) {}

  /**
   * Memory of one device.
   *
   * @param index its number in {@code device_mapping}; -1 for the CPU as a whole
   */
  record Device(int index, String kind, String name, Memory memory) {}

  /**
   * Megabytes of a device.
   *
   * @param total of the device
   * @param held by models of active runs in their last step, the maximum
   * @param expected by the plans of these runs
   * @param reserved in use on the GPU, by any process
   */
  record Memory(
      double total, @Nullable Double held, @Nullable Double expected, @Nullable Double reserved) {}

  /** Returns the current values of the devices view. */
  View view() throws InterruptedException {
    Map<Integer, ModelMemory> held = held();
    ProcessMemory process = ProcessMemory.now();
    history.record(process.resident(), held);
    Facts known = facts.get();
    List<Device> devices = new ArrayList<>();
    ModelMemory whole = held.get(ModelMemory.CPU);
    if (whole != null) {
      devices.add(device(new DeviceInfo(ModelMemory.CPU, "cpu", "all cores", machine()), whole));
    }
    for (DeviceInfo device : known.devices()) {
      devices.add(device(device, held.getOrDefault(device.number(), ModelMemory.NONE)));
    }
    return new View(
        process,
        Runtime.getRuntime().availableProcessors(),
        devices,
        known.library(),
        known.unused(),
        history.view());
  }

  /** Records the current memory in the history. */
  void record() {
    history.record(ProcessMemory.now().resident(), held());
  }

  private Map<Integer, ModelMemory> held() {
    List<TrainingRun> active =
        trainer.runs().stream().filter(run -> run.status().state().active()).toList();
    return ModelMemory.of(active);
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

  private static Device device(DeviceInfo facts, ModelMemory memory) {
    return new Device(
        facts.number(),
        facts.kind(),
        facts.name(),
        new Memory(facts.memory() / MEGABYTE, memory.held(), memory.expected(), memory.reserved()));
  }

  /**
   * Memory of this process.
   *
   * @param resident megabytes, heap and native; those of the heap if the system does not report it
   * @param heap megabytes of the Java heap in use
   */
  private record ProcessMemory(double resident, double heap) {
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final String RESIDENT = "VmRSS:";

    static ProcessMemory now() {
      Runtime runtime = Runtime.getRuntime();
      double heap = (runtime.totalMemory() - runtime.freeMemory()) / MEGABYTE;
      return new ProcessMemory(resident(heap), heap);
    }

    private static double resident(double heap) {
      try {
        for (String line : Files.readAllLines(STATUS)) {
          if (line.startsWith(RESIDENT)) {
            return Long.parseLong(line.replaceAll("\\D", "")) / 1024.0;
          }
        }
        return heap;
      } catch (IOException e) {
        return heap; // a system other than Linux
      }
    }
  }

  private static long machine() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getTotalMemorySize();
  }
}
