package roll.main;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class HeapGrowthTest {
  private static final long MB = 1 << 20;

  @Test
  void isDueWhenAsMuchHasComeAsWasLeft() {
    assertFalse(HeapGrowth.isDue(64 * MB, 0));
    assertTrue(HeapGrowth.isDue(65 * MB, 0));
    assertFalse(HeapGrowth.isDue(100 * MB, 40 * MB));
    assertTrue(HeapGrowth.isDue(105 * MB, 40 * MB));
    assertFalse(HeapGrowth.isDue(1000 * MB, 500 * MB));
    assertTrue(HeapGrowth.isDue(1001 * MB, 500 * MB));
  }

  /** There is room for all of it, so that the collector itself would let it lie. */
  @Test
  @Tag("processes")
  void oldGarbageIsCollected() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-Xmx1g",
                "-cp",
                System.getProperty("java.class.path"),
                Growing.class.getName())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals("filled\ncollected\n", said);
    assertEquals(0, process.waitFor());
  }

  /** Makes what is old and garbage, and waits until it is gone. */
  static final class Growing {
    private Growing() {}

    /** The main method of the other process. */
    public static void main(String[] arguments) throws InterruptedException {
      Deque<byte[]> held = new ArrayDeque<>();
      while (old() < 200 * MB) {
        held.add(new byte[(int) MB]);
      }
      System.out.println(held.size() > 100 ? "filled" : "too few");
      held.clear();
      try (HeapGrowth growth = new HeapGrowth(Duration.ofMillis(50))) {
        growth.start();
        await().atMost(Duration.ofMinutes(1)).until(() -> old() <= 50 * MB);
      }
      System.out.println("collected");
    }

    private static long old() {
      return ManagementFactory.getMemoryPoolMXBeans().stream()
          .filter(pool -> pool.getName().equals("Tenured Gen"))
          .mapToLong(pool -> pool.getUsage().getUsed())
          .sum();
    }
  }
}
