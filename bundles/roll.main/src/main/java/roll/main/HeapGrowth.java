package roll.main;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.time.Duration;
import roll.api.plugin.OneShotTask;

/**
 * Triggers a collection of the old generation when its garbage may exceed the live data. The serial
 * collector, which {@code roll} selects, would grow it up to {@code -Xmx} first, and so keep the
 * native memory of unreachable objects. Other collectors need no help.
 */
final class HeapGrowth implements AutoCloseable {
  private static final Duration PERIOD = Duration.ofSeconds(10);

  /** Minimum garbage, in bytes, worth a collection. */
  private static final long LEAST = 64L << 20;

  /** Name of the serial collector's old generation. */
  private static final String OLD = "Tenured Gen";

  private final Duration period;

  private final Thread thread =
      Thread.ofPlatform().daemon().name("roll.main heap").unstarted(new OneShotTask(this::watch));

  /** Starts checks of the heap every ten seconds. */
  HeapGrowth() {
    this(PERIOD);
  }

  HeapGrowth(Duration period) {
    this.period = period;
  }

  /** Starts checking the heap every ten seconds. */
  void start() {
    thread.start();
  }

  private void watch() {
    try {
      Thread.sleep(period); // short commands do not load the management classes
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
   * Returns whether a collection is due.
   *
   * @param used bytes used now
   * @param left bytes used after the last collection
   */
  static boolean isDue(long used, long left) {
    return used - left > Math.max(left, LEAST);
  }

  /** Stops checking the heap. */
  @Override
  public void close() {
    thread.interrupt();
  }
}
