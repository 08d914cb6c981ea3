package roll.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The peak memory of this process since a reset, including native memory and mapped files, as
 * counted by Linux.
 *
 * @param before MiB held at the reset; −1 if unknown
 */
record PeakMemory(long before) {
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final Path RESET = Path.of("/proc/self/clear_refs");

  /** Resets the peak, if the system allows it; otherwise it counts from the process start. */
  static PeakMemory reset() {
    try {
      Files.writeString(RESET, "5");
    } catch (IOException e) {
      // Not Linux, or not allowed: the peak is then that of the whole process.
    }
    return new PeakMemory(mebibytes("VmRSS:"));
  }

  /** Returns the peak since {@link #reset} in MiB, or {@code ?} if unknown. */
  static String text() {
    long peak = mebibytes("VmHWM:");
    return peak < 0 ? "?" : Long.toString(peak);
  }

  /** Returns the increase of the peak over the memory held before in MiB, or {@code ?}. */
  String above() {
    long peak = mebibytes("VmHWM:");
    return peak < 0 ? "?" : Long.toString(peak - before);
  }

  private static long mebibytes(String field) {
    try {
      for (String line : Files.readAllLines(STATUS)) {
        if (line.startsWith(field)) {
          return Long.parseLong(line.replaceAll("\\D", "")) / 1024;
        }
      }
    } catch (IOException e) {
      // Not Linux.
    }
    return -1;
  }
}
