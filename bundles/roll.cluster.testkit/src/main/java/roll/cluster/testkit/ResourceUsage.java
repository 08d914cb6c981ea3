package roll.cluster.testkit;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.management.JMException;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;

/**
 * Threads, open files and native memory of this process.
 *
 * @param threads names of platform threads, without permanent ones of the JDK
 * @param files number of open files, including sockets; 0 if unknown
 * @param direct size of direct buffers in bytes
 * @param nativeBytes memory of the JVM beside the heap in bytes; 0 without {@code
 *     -XX:NativeMemoryTracking=summary}
 */
record ResourceUsage(Set<String> threads, long files, long direct, long nativeBytes) {
  private static final Path FILES = Path.of("/proc/self/fd");
  private static final Pattern TOTAL =
      Pattern.compile("Total: reserved=\\d+KB, committed=(\\d+)KB");
  private static final Pattern HEAP =
      Pattern.compile("Java Heap \\(reserved=\\d+KB, committed=(\\d+)KB");
  private static final long MEBIBYTE = 1 << 20;

  /** Tolerance for buffer pools of the first node; a thousand leaked buffers are 256 MiB. */
  private static final long MORE_DIRECT = 32 * MEBIBYTE;

  /** Tolerance for compiler and garbage collector: 64 KiB for each of a thousand nodes. */
  private static final long MORE_NATIVE = 64 * MEBIBYTE;

  static ResourceUsage now() throws IOException {
    Set<String> threads =
        Thread.getAllStackTraces().keySet().stream()
            .filter(thread -> thread.isAlive() && !ofTheJdk(thread.getName()))
            .map(thread -> thread.getName() + " #" + thread.threadId())
            .collect(Collectors.toCollection(TreeSet::new));
    return new ResourceUsage(threads, openFiles(), directBytes(), besideHeap());
  }

  /** Measures after closed connections and unreachable buffers are gone. */
  static ResourceUsage settled() throws IOException, InterruptedException {
    System.gc();
    Thread.sleep(500);
    return now();
  }

  private static boolean ofTheJdk(String name) {
    return name.startsWith("ForkJoinPool")
        || name.startsWith("VirtualThread")
        || name.contains("poller")
        || name.contains("Poller")
        || name.startsWith("CompletableFutureDelayScheduler")
        || name.startsWith("Common-Cleaner");
  }

  private static long openFiles() throws IOException {
    if (!Files.isDirectory(FILES)) {
      return 0;
    }
    try (Stream<Path> open = Files.list(FILES)) {
      return open.count();
    }
  }

  private static long directBytes() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }

  private static long besideHeap() {
    Object told;
    try {
      told =
          ManagementFactory.getPlatformMBeanServer()
              .invoke(
                  new ObjectName("com.sun.management:type=DiagnosticCommand"),
                  "vmNativeMemory",
                  new Object[] {new String[] {"summary"}},
                  new String[] {String[].class.getName()});
    } catch (JMException e) {
      return 0;
    }
    long all = committed(TOTAL, told.toString());
    return all == 0 ? 0 : all - committed(HEAP, told.toString());
  }

  private static long committed(Pattern what, String told) {
    Matcher found = what.matcher(told);
    return found.find() ? Long.parseLong(found.group(1)) << 10 : 0;
  }

  /**
   * Waits until the usage is no more than before, with a few files more for the JDK.
   *
   * @param during object whose threads may exist; null if all threads must be gone, and memory is
   *     not compared, since the first start loads classes
   */
  static void assertNoMoreThan(ResourceUsage before, @Nullable Object during)
      throws IOException, InterruptedException {
    ResourceUsage now = settled();
    for (int i = 0; i < 100 && !now.within(before, during != null); i++) {
      Thread.sleep(100);
      now = now();
    }
    Set<String> more = new TreeSet<>(now.threads());
    more.removeAll(before.threads());
    assertTrue(
        now.within(before, during != null),
        "threads more: " + more + "; before " + before + ", now " + now);
  }

  private boolean within(ResourceUsage before, boolean counted) {
    boolean threadsGone =
        counted ? threads.size() <= before.threads.size() + 2 : before.threads.containsAll(threads);
    return threadsGone
        && files <= before.files + 12
        && (!counted
            || (direct <= before.direct + MORE_DIRECT
                && nativeBytes <= before.nativeBytes + MORE_NATIVE));
  }

  @Override
  public String toString() {
    return "%d threads, %d open files, %.1f MiB in direct buffers, %.1f MiB beside the heap"
        .formatted(
            threads.size(), files, (double) direct / MEBIBYTE, (double) nativeBytes / MEBIBYTE);
  }
}
