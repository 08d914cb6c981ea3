package roll.sandbox.python;

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

  ProgramSlots(int all) {
    this.all = all;
    free = new Semaphore(all, true);
  }

  /** Waits for a slot; returns false if programs that cannot be stopped hold all slots. */
  boolean take() throws InterruptedException {
    while (!free.tryAcquire(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
      abandoned.removeIf(thread -> !thread.isAlive());
      if (abandoned.size() >= all) {
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
