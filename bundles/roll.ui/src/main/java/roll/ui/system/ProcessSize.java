package roll.ui.system;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The memory of this process.
 *
 * @param resident megabytes resident, heap and native together; where the system does not tell,
 *     those of the heap
 * @param heap megabytes in use of the Java heap
 */
record ProcessSize(double resident, double heap) {
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final String RESIDENT = "VmRSS:";

  /** Now. */
  static ProcessSize now() {
    Runtime runtime = Runtime.getRuntime();
    double heap = (runtime.totalMemory() - runtime.freeMemory()) / DevicesPage.MEGABYTE;
    return new ProcessSize(resident(heap), heap);
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
      return heap; // another system than Linux
    }
  }
}
