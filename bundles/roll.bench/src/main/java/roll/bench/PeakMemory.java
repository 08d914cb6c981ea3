package roll.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The most memory this process has held since a moment, native memory and mapped files included, as
 * Linux counts it.
 *
 * @param before MiB it held at that moment; −1 where the system does not say
 */
record PeakMemory(long before) {
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final Path RESET = Path.of("/proc/self/clear_refs");

  /** Begins anew, where the system allows it; otherwise the peak counts from the start. */
  static PeakMemory reset() {
    try {
      Files.writeString(RESET, "5");
    } catch (IOException e) {
      // Not Linux, or not allowed: the peak is then that of the whole process.
    }
    return new PeakMemory(mebibytes("VmRSS:"));
  }

  /** The peak since {@link #reset} in MiB, or {@code ?} where the system does not say. */
  static String text() {
    long peak = mebibytes("VmHWM:");
    return peak < 0 ? "?" : Long.toString(peak);
  }

  /** How far the peak rose above what was held before, in MiB, or {@code ?}. */
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
