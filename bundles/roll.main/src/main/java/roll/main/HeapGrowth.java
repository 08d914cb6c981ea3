package roll.main;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.time.Duration;
import roll.api.plugin.OneShotTask;

/**
 * Has the old part of the heap collected when the garbage in it may be as much as what lives. The
 * serial collector, which {@code roll} starts Java with, enlarges that part up to {@code -Xmx}
 * before it collects it: a long run would take all memory it may, and hold what native memory
 * belongs to the garbage. Other collectors see to that themselves.
 */
final class HeapGrowth implements AutoCloseable {
  private static final Duration PERIOD = Duration.ofSeconds(10);

  /** Less is not worth a collection. */
  private static final long LEAST = 64L << 20;

  /** What the serial collector calls it. */
  private static final String OLD = "Tenured Gen";

  private final Duration period;

  private final Thread thread =
      Thread.ofPlatform().daemon().name("roll.main heap").unstarted(new OneShotTask(this::watch));

  /** Looks every ten seconds. */
  HeapGrowth() {
    this(PERIOD);
  }

  HeapGrowth(Duration period) {
    this.period = period;
  }

  /** Begins to watch. */
  void start() {
    thread.start();
  }

  private void watch() {
    try {
      Thread.sleep(period); // a command that ends sooner need not load what follows
      for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
        while (pool.getName().equals(OLD)) {
          if (isDue(pool.getUsage().getUsed(), pool.getCollectionUsage().getUsed())) {
            System.gc();
          }
          Thread.sleep(period);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // closed
    }
  }

  /**
   * Whether a collection is due.
   *
   * @param used bytes used now
   * @param left bytes that were used after the last collection
   */
  static boolean isDue(long used, long left) {
    return used - left > Math.max(left, LEAST);
  }

  /** Ends the watch. */
  @Override
  public void close() {
    thread.interrupt();
  }
}
