package roll.bridge;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import roll.api.option.Option;
import roll.api.option.Options;

/**
 * Resource limits of each process of a program, enforced by the kernel; empty for no limit.
 *
 * @param memory maximum bytes of address space
 * @param cpuSeconds maximum CPU time
 * @param openFiles maximum number of open files
 * @param fileSize maximum bytes of a written file
 */
public record ProgramLimits(
    Optional<Long> memory,
    Optional<Integer> cpuSeconds,
    Optional<Integer> openFiles,
    Optional<Long> fileSize) {
  private static final long GIB = 1L << 30;
  private static final long BLOCK = 512;
  private static final Option<Double> MEMORY =
      Option.positive("memory_gb", "GiB of address space of a started program");
  private static final Option<Integer> CPU =
      Option.integer(
          "cpu_seconds", 1, Integer.MAX_VALUE, "seconds that a started program may compute");
  private static final Option<Integer> FILES =
      Option.integer("open_files", 8, 1 << 20, "files that a started program has open at once");
  private static final Option<Double> FILE_SIZE =
      Option.number("file_gb", 0, 1 << 20, "GiB of a file that a started program writes");

  /** Options of a program's resource limits. */
  static final List<Option<?>> OPTIONS = List.of(MEMORY, CPU, FILES, FILE_SIZE);

  /** Limits of a program without limits. */
  public static final ProgramLimits NONE =
      new ProgramLimits(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

  /** Returns the program limits in {@code options}. */
  static ProgramLimits of(Options options) {
    return new ProgramLimits(
        options.find(MEMORY).map(gib -> (long) (gib * GIB)),
        options.find(CPU),
        options.find(FILES),
        options.find(FILE_SIZE).map(gib -> (long) (gib * GIB)));
  }

  /** Returns the shell commands that set the limits. */
  List<String> shellCalls() {
    List<String> calls = new ArrayList<>();
    memory.ifPresent(bytes -> calls.add("ulimit -v " + bytes / 1024));
    cpuSeconds.ifPresent(seconds -> calls.add("ulimit -t " + seconds));
    openFiles.ifPresent(files -> calls.add("ulimit -n " + files));
    fileSize.ifPresent(bytes -> calls.add("ulimit -f " + bytes / BLOCK));
    return calls;
  }
}
