package roll.core.report;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/** The memory of this process: heap and native memory together. */
public final class ProcessMemory {
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final Path MACHINE = Path.of("/proc/meminfo");

  private ProcessMemory() {}

  /**
   * Returns the resident memory of the process in megabytes, or that of the Java heap if the system
   * does not report it.
   */
  static double residentMegabytes() {
    return process("VmRSS:");
  }

  /** Most megabytes ever resident; where the system does not tell, those of the Java heap now. */
  static double peakMegabytes() {
    return process("VmHWM:");
  }

  /** Returns the memory of this machine, or of the container that the process runs in, in bytes. */
  public static long ofMachine() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getTotalMemorySize();
  }

  /** Returns the megabytes that programs can still get; −1 if the system does not report it. */
  static double availableMegabytes() {
    return read(MACHINE, "MemAvailable:");
  }

  private static double process(String field) {
    double megabytes = read(STATUS, field);
    return megabytes < 0 ? heap() : megabytes;
  }

  private static double read(Path file, String field) {
    if (Files.isReadable(file)) {
      try {
        for (String line : Files.readAllLines(file)) {
          if (line.startsWith(field)) {
            return Long.parseLong(line.replaceAll("\\D", "")) / 1024.0;
          }
        }
      } catch (IOException e) {
        return -1;
      }
    }
    return -1;
  }

  private static double heap() {
    Runtime runtime = Runtime.getRuntime();
    return (runtime.totalMemory() - runtime.freeMemory()) / 1048576.0;
  }
}
