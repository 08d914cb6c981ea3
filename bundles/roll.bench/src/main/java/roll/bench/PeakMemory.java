package roll.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The most memory this process has held, native memory included, as Linux counts it. */
final class PeakMemory {
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final Path RESET = Path.of("/proc/self/clear_refs");

  private PeakMemory() {}

  /** Begins anew, where the system allows it; otherwise the peak counts from the start. */
  static void reset() {
    try {
      Files.writeString(RESET, "5");
    } catch (IOException e) {
      // Not Linux, or not allowed: the peak is then that of the whole process.
    }
  }

  /** The peak since {@link #reset} in MiB, or {@code ?} where the system does not say. */
  static String text() {
    try {
      for (String line : Files.readAllLines(STATUS)) {
        if (line.startsWith("VmHWM:")) {
          return Long.toString(Long.parseLong(line.replaceAll("\\D", "")) / 1024);
        }
      }
    } catch (IOException e) {
      // Not Linux.
    }
    return "?";
  }
}
