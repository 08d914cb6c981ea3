package roll.torch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** The processor that this process runs on. */
final class Processor {
  private static final Path LINUX = Path.of("/proc/cpuinfo");
  private static final List<String> BF16 = List.of("avx512_bf16", "amx_bf16", "bf16");

  private Processor() {}

  /** Its model's name as Linux gives it; elsewhere the architecture alone. */
  static String name() {
    return name(cpuinfo());
  }

  /** Whether it has instructions for products of bf16, or does not say what it has. */
  static boolean multipliesBf16() {
    return multipliesBf16(cpuinfo());
  }

  private static String cpuinfo() {
    try {
      return Files.exists(LINUX) ? Files.readString(LINUX) : "";
    } catch (IOException e) {
      return "";
    }
  }

  /** The same by {@code cpuinfo}: of x86 AVX512-BF16 or AMX, of ARM what it calls bf16. */
  static boolean multipliesBf16(String cpuinfo) {
    List<String> features =
        cpuinfo
            .lines()
            .filter(line -> line.startsWith("flags") || line.startsWith("Features"))
            .limit(1)
            .flatMap(line -> Arrays.stream(line.substring(line.indexOf(':') + 1).split(" ")))
            .toList();
    return features.isEmpty() || BF16.stream().anyMatch(features::contains);
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
