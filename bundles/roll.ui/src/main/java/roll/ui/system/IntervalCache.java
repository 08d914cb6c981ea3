package roll.ui.system;

import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A value that is computed at most once per interval. Concurrent callers wait for one computation.
 */
final class IntervalCache<T> {
  private final long nanos;
  private final Work<T> work;
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable T value;
  private long since;

  /**
   * Creates the cache without a value.
   *
   * @param time for which a value is valid
   * @param work computes the value
   */
  IntervalCache(Duration time, Work<T> work) {
    this.nanos = time.toNanos();
    this.work = work;
  }

  /** Computes the cached value. */
  interface Work<T> {
    /** Returns the newly computed value. */
    T done() throws InterruptedException;
  }

  /**
   * Returns the value, which may be as old as the interval.
   *
   * @throws InterruptedException if the thread is interrupted
   */
  T get() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      T known = value;
      if (known == null || System.nanoTime() - since > nanos) {
        known = work.done();
        value = known;
        since = System.nanoTime();
      }
      return known;
    } finally {
      lock.unlock();
    }
  }
}
