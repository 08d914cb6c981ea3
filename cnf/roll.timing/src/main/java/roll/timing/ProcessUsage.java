package roll.timing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Resources used by this process and the children it has waited for. Read from {@code /proc};
 * without it only the processor time of this process is known.
 *
 * @param seconds of processor time
 * @param childFaults page faults of children that were waited for, which increase with each; -1 if
 *     unknown
 * @param children ids of running children
 */
record ProcessUsage(double seconds, long childFaults, Set<Long> children) {
  private static final Path PROCESS = Path.of("/proc/self");

  /** Clock ticks per second in {@code /proc}, on every Linux. */
  private static final double TICKS = 100;

  // in proc(5) fields of stat are counted from 1; the third is the first after the program name
  private static final int MINOR_FAULTS_OF_CHILDREN = 11 - 3;
  private static final List<Integer> PROCESSOR_TIMES = List.of(14 - 3, 15 - 3, 16 - 3, 17 - 3);

  private static final Pattern NUMBER = Pattern.compile("\\d+");

  static ProcessUsage now() {
    try {
      String stat = Files.readString(PROCESS.resolve("stat"));
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
      long ticks = PROCESSOR_TIMES.stream().mapToLong(i -> Long.parseLong(fields[i])).sum();
      long faults = Long.parseLong(fields[MINOR_FAULTS_OF_CHILDREN]);
      return new ProcessUsage(ticks / TICKS, faults, living());
    } catch (IOException e) {
      Duration own = ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
      return new ProcessUsage(own.toMillis() / 1e3, -1, Set.of());
    }
  }

  /**
   * Returns whether a process was started between {@code before} and this, {@code -} if unknown. An
   * earlier child that has ended is not a new one.
   */
  String startedSince(ProcessUsage before) {
    if (childFaults < 0) {
      return "-";
    }
    boolean waited = childFaults > before.childFaults && children.containsAll(before.children);
    return String.valueOf(waited || !before.children.containsAll(children));
  }

  private static Set<Long> living() {
    Set<Long> children = new HashSet<>();
    String[] threads = PROCESS.resolve("task").toFile().list();
    for (String thread : threads == null ? new String[0] : threads) {
      try {
        String ids = Files.readString(PROCESS.resolve("task").resolve(thread).resolve("children"));
        NUMBER.matcher(ids).results().forEach(id -> children.add(Long.valueOf(id.group())));
      } catch (IOException e) {
        // the thread has ended; another thread has its children now
      }
    }
    return children;
  }
}
