package roll.start;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a process needs at least to start; with less the framework would fail half-way. */
final class StartRequirements {
  private static final long MEGABYTE = 1 << 20;

  /** Java heap for all bundles; a little less is said of {@code -Xmx32m}. */
  private static final long HEAP = 32;

  /** Open files beside one for each bundle: the JVM's own, those of a run, libraries. */
  private static final int FILES = 100;

  private static final Path LIMITS = Path.of("/proc/self/limits");
  private static final Pattern OPEN_FILES = Pattern.compile("Max open files +(\\d+) .*");

  private StartRequirements() {}

  /**
   * Sees that there is enough for {@code bundles} bundles.
   *
   * @throws IOException if not, saying what to raise
   */
  static void require(int bundles) throws IOException {
    long heap = Runtime.getRuntime().maxMemory() / MEGABYTE;
    if (heap < HEAP - HEAP / 8) {
      throw new IOException(
          "the Java heap of %d MB is too small: give at least ROLL_JAVA_OPTS=-Xmx%dm"
              .formatted(heap, HEAP));
    }
    if (Files.isReadable(LIMITS)) {
      for (String line : Files.readAllLines(LIMITS)) {
        Matcher files = OPEN_FILES.matcher(line);
        if (files.matches() && Long.parseLong(files.group(1)) < bundles + FILES) {
          throw new IOException(
              "%s files may be open at once, which is too few: allow at least %d (ulimit -n)"
                  .formatted(files.group(1), bundles + FILES));
        }
      }
    }
  }
}
