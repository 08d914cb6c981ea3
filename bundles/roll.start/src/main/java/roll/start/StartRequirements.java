package roll.start;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Minimum resources of a process; with less the framework would fail while starting. */
final class StartRequirements {
  private static final long MEGABYTE = 1 << 20;

  /** Java heap in MB for all bundles; the JVM reports slightly less than {@code -Xmx}. */
  private static final long HEAP = 32;

  /** Number of open files in addition to one per bundle: JVM, libraries, run. */
  private static final int FILES = 100;

  private static final Path LIMITS = Path.of("/proc/self/limits");
  private static final Pattern OPEN_FILES = Pattern.compile("Max open files +(\\d+) .*");

  private StartRequirements() {}

  /**
   * Checks that the resources suffice for {@code bundles} bundles.
   *
   * @throws IOException with the limit to raise, if they do not
   */
  static void require(int bundles) throws IOException {
    long heap = Runtime.getRuntime().maxMemory() / MEGABYTE;
    if (heap < HEAP - HEAP / 8) {
      throw new IOException(
          "the Java heap of %d MB is too small: set at least ROLL_JAVA_OPTS=-Xmx%dm"
              .formatted(heap, HEAP));
    }
    if (Files.isReadable(LIMITS)) {
      for (String line : Files.readAllLines(LIMITS)) {
        Matcher files = OPEN_FILES.matcher(line);
        if (files.matches() && Long.parseLong(files.group(1)) < bundles + FILES) {
          throw new IOException(
              "the limit of %s open files is too low: allow at least %d (ulimit -n)"
                  .formatted(files.group(1), bundles + FILES));
        }
      }
    }
  }
}
