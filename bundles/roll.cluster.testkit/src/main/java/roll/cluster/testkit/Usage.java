package roll.cluster.testkit;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Threads and open files of this process.
 *
 * @param threads names of platform threads, without those of the JDK that stay
 * @param files how many are open, sockets among them; 0 where the system does not tell
 */
record Usage(Set<String> threads, long files) {
  private static final Path FILES = Path.of("/proc/self/fd");

  static Usage now() throws IOException {
    Set<String> threads =
        Thread.getAllStackTraces().keySet().stream()
            .filter(thread -> thread.isAlive() && !ofTheJdk(thread.getName()))
            .map(thread -> thread.getName() + " #" + thread.threadId())
            .collect(Collectors.toCollection(TreeSet::new));
    return new Usage(threads, openFiles());
  }

  /** After connections that were closed have gone. */
  static Usage settled() throws IOException, InterruptedException {
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

  /**
   * Waits until there is no more than there was; a few files more are the JDK's own.
   *
   * @param during what may have threads of its own meanwhile; null if all must be gone
   */
  static void assertNoMoreThan(Usage before, @Nullable Object during)
      throws IOException, InterruptedException {
    Usage now = now();
    for (int i = 0; i < 100 && !now.within(before, during != null); i++) {
      Thread.sleep(100);
      now = now();
    }
    Set<String> more = new TreeSet<>(now.threads());
    more.removeAll(before.threads());
    String says = "threads more: " + more + ", files " + before.files() + " before, " + now.files();
    assertTrue(now.within(before, during != null), says);
  }

  private boolean within(Usage before, boolean counted) {
    boolean threadsGone =
        counted ? threads.size() <= before.threads.size() + 2 : before.threads.containsAll(threads);
    return threadsGone && files <= before.files + 12;
  }
}
