package roll.sandbox.python;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Bounds the programs that are at work at once. One that continues after it was stopped, in an
 * operation of Java's own that cannot be canceled, keeps its place: such ones cannot pile up.
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

  /** Takes a place, when there is one; false if all are held by what cannot be stopped. */
  boolean take() throws InterruptedException {
    while (!free.tryAcquire(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
      abandoned.removeIf(thread -> !thread.isAlive());
      if (abandoned.size() >= all) {
        return false;
      }
    }
    return true;
  }

  /** Gives one back. */
  void give() {
    free.release();
  }

  /** Says that nothing ends {@code thread}; it gives its place back when it ends by itself. */
  void abandon(Thread thread) {
    abandoned.add(thread);
  }
}
