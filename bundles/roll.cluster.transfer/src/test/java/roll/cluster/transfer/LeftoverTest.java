package roll.cluster.transfer;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.cluster.transfer.Nodes.atLeast;
import static roll.cluster.transfer.Nodes.manifest;
import static roll.cluster.transfer.Nodes.peer;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A hundred pulls leave no thread, socket or memory behind. */
class LeftoverTest {
  private static final int BYTES = 8 * Nodes.CHUNK;

  @Test
  void nothingIsLeft() throws Exception {
    try (Nodes nodes = new Nodes(false)) {
      TransferNode trainer = nodes.open("trainer");
      TransferNode first = nodes.open("first");
      TransferNode second = nodes.open("second");
      MemorySegment bytes = nodes.bytes(BYTES, 1);
      for (int i = 0; i < 10; i++) {
        round(trainer, first, second, bytes, i);
      }
      Set<String> threads = threads();
      long sockets = sockets();
      long direct = direct();
      for (int i = 10; i < 50; i++) {
        round(trainer, first, second, bytes, i);
      }
      await()
          .untilAsserted(
              () -> assertTrue(sockets() <= sockets, sockets + " sockets before, " + sockets()));
      Set<String> more = threads();
      more.removeAll(threads);
      more.remove("awaitility-thread"); // of the wait above
      assertEquals(Set.of(), more);
      assertTrue(direct() <= direct + (1 << 20), direct + " direct bytes before, " + direct());
    }
  }

  private static void round(
      TransferNode trainer, TransferNode first, TransferNode second, MemorySegment bytes, int i)
      throws Exception {
    PublishedVersion made =
        trainer.publishCopy(
            manifest(i, BYTES, 3), BYTES, VersionReader.of(bytes), VersionReader::of);
    TransferPeer origin = peer("trainer", trainer);
    try (Arena arena = Arena.ofShared()) {
      MemorySegment one = arena.allocate(BYTES);
      MemorySegment two = arena.allocate(BYTES);
      try (PulledVersion a = first.pull(atLeast(i), origin, List.of(), _ -> one);
          PulledVersion b =
              second.pull(atLeast(i), origin, List.of(peer("first", first)), _ -> two)) {
        assertEquals(a.report().bytes(), b.report().bytes());
        assertTrue(Nodes.same(bytes, two));
      }
    }
    made.retire(Duration.ZERO);
    made.released().get();
  }

  /** Platform threads, without those that end by themselves when idle. */
  private static Set<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> !name.startsWith("ForkJoinPool") && !name.startsWith("VirtualThread"))
        .collect(Collectors.toSet());
  }

  private static long sockets() throws IOException {
    Path open = Path.of("/proc/self/fd");
    if (!Files.isDirectory(open)) {
      return 0;
    }
    try (Stream<Path> files = Files.list(open)) {
      return files.filter(LeftoverTest::socket).count();
    }
  }

  private static boolean socket(Path file) {
    try {
      return Files.readSymbolicLink(file).toString().startsWith("socket:");
    } catch (IOException e) {
      return false;
    }
  }

  private static long direct() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }
}
