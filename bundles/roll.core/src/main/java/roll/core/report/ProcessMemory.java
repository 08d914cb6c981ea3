package roll.core.report;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/** The memory of this process: heap and native memory together. */
public final class ProcessMemory {
  private static final Path STATUS = Path.of("/proc/self/status");

  private ProcessMemory() {}

  /**
   * Returns the resident memory of the process in megabytes, or that of the Java heap if the system
   * does not report it.
   */
  static double residentMegabytes() {
    return read("VmRSS:");
  }

  /** Most megabytes ever resident; where the system does not tell, those of the Java heap now. */
  static double peakMegabytes() {
    return read("VmHWM:");
  }

  /** Returns the memory of this machine, or of the container that the process runs in, in bytes. */
  public static long ofMachine() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getTotalMemorySize();
  }

  private static double read(String field) {
    if (Files.isReadable(STATUS)) {
      try {
        for (String line : Files.readAllLines(STATUS)) {
          if (line.startsWith(field)) {
            return Long.parseLong(line.replaceAll("\\D", "")) / 1024.0;
          }
        }
      } catch (IOException e) {
        return heap();
      }
    }
    return heap();
  }

  private static double heap() {
    Runtime runtime = Runtime.getRuntime();
    return (runtime.totalMemory() - runtime.freeMemory()) / 1048576.0;
  }
}
