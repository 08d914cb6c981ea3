package roll.torch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The processor that this process runs on. */
final class Processor {
  private static final Path LINUX = Path.of("/proc/cpuinfo");

  private Processor() {}

  /** Its model's name as Linux gives it; elsewhere the architecture alone. */
  static String name() {
    try {
      return Files.exists(LINUX) ? name(Files.readString(LINUX)) : arch();
    } catch (IOException e) {
      return arch();
    }
  }

  /** The name that {@code cpuinfo} has, a file {@code /proc/cpuinfo}. */
  static String name(String cpuinfo) {
    return cpuinfo
        .lines()
        .filter(line -> line.startsWith("model name"))
        .map(line -> line.substring(line.indexOf(':') + 1).strip())
        .findFirst()
        .orElseGet(Processor::arch);
  }

  private static String arch() {
    return System.getProperty("os.arch", "unknown");
  }
}
