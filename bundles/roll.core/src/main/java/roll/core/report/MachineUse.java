package roll.core.report;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** The use of the machine in each step of a run: processors, memory and disk. */
public final class MachineUse {
  private final OperatingSystemMXBean system =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
  private final Path folder;
  private long nanos = System.nanoTime();
  private long busy = system.getProcessCpuTime();

  /** Creates the measurement of a run that writes to {@code folder}. */
  public MachineUse(Path folder) {
    this.folder = folder;
  }

  /**
   * Adds {@code system/cpu}, {@code system/cpu_machine}, {@code system/memory_available_mb} and
   * {@code system/disk_free_mb}, as far as the system reports them; shares of all processors are
   * those since the last call.
   */
  public void add(Map<String, Double> metrics) {
    long now = System.nanoTime();
    long used = system.getProcessCpuTime();
    if (used >= 0 && busy >= 0 && now > nanos) {
      double available = (double) (now - nanos) * system.getAvailableProcessors();
      metrics.put("system/cpu", (used - busy) / available);
    }
    nanos = now;
    busy = used;
    double machine = system.getCpuLoad();
    if (machine >= 0) {
      metrics.put("system/cpu_machine", machine);
    }
    double memory = ProcessMemory.availableMegabytes();
    if (memory >= 0) {
      metrics.put("system/memory_available_mb", memory);
    }
    try {
      double free = Files.getFileStore(folder).getUsableSpace();
      metrics.put("system/disk_free_mb", free / (1 << 20));
    } catch (IOException e) {
      // a lost folder is reported where something is written
    }
  }
}
