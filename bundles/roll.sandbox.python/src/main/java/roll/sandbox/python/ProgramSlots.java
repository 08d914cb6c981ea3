package roll.sandbox.python;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Limits the number of concurrent programs. A program that cannot be canceled keeps its slot until
 * it ends, so that such programs cannot accumulate.
 */
final class ProgramSlots {
  private static final long LOOK_MILLIS = 100;
  private final Set<Thread> abandoned = ConcurrentHashMap.newKeySet();
  private final Semaphore free;
  private final int all;
  private final Duration maxWait;

  /**
   * Creates {@code all} free slots.
   *
   * @param maxWait how long {@link #take} waits while programs that cannot be stopped hold them all
   */
  ProgramSlots(int all, Duration maxWait) {
    this.all = all;
    this.maxWait = maxWait;
    free = new Semaphore(all, true);
  }

  /** Waits for a slot; returns false if programs that cannot be stopped hold all for too long. */
  boolean take() throws InterruptedException {
    long since = System.nanoTime();
    while (!free.tryAcquire(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
      abandoned.removeIf(thread -> !thread.isAlive());
      if (abandoned.size() < all) {
        since = System.nanoTime();
      } else if (System.nanoTime() - since >= maxWait.toNanos()) {
        return false;
      }
    }
    return true;
  }

  /** Releases a slot for a program. */
  void give() {
    free.release();
  }

  /** Marks {@code thread} as impossible to stop; its slot is returned when it ends. */
  void abandon(Thread thread) {
    abandoned.add(thread);
  }
}
