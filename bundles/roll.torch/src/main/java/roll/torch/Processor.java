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

  /** Returns the processor's model name on Linux, otherwise the architecture. */
  static String name() {
    return name(cpuinfo());
  }

  /** Returns whether the processor has instructions for bf16 products; true if unknown. */
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

  /** Returns the same for the given {@code cpuinfo}: AVX512-BF16 or AMX on x86, bf16 on ARM. */
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

  /** Returns the model name in {@code cpuinfo}, the text of {@code /proc/cpuinfo}. */
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
