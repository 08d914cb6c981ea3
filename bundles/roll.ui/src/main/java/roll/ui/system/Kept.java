package roll.ui.system;

import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * An answer that is worked out at most once in a while, however many ask for it: who asks while it
 * is worked out waits for that one.
 */
final class Kept<T> {
  private final long nanos;
  private final Work<T> work;
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable T value;
  private long since;

  /**
   * Nothing so far.
   *
   * @param time how long an answer is kept
   * @param work gives the answer
   */
  Kept(Duration time, Work<T> work) {
    this.nanos = time.toNanos();
    this.work = work;
  }

  /** Gives an answer. */
  interface Work<T> {
    /** The answer. */
    T done() throws InterruptedException;
  }

  /**
   * The answer, as old as it may be.
   *
   * @throws InterruptedException if the thread was interrupted meanwhile
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
