package roll.rollout.supervise;

import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import roll.runtime.trace.Span;

/** A permit of a semaphore that is released at most once, by any thread. */
public final class EpisodePermit {
  private final @Nullable Semaphore limit;
  private final AtomicBoolean held = new AtomicBoolean();

  /**
   * Creates a permit that is not held.
   *
   * @param limit the semaphore, or null for no limit
   */
  public EpisodePermit(@Nullable Semaphore limit) {
    this.limit = limit;
  }

  /** Acquires the permit, uninterruptibly; the wait is a part of {@code span}. */
  void take(Span span) {
    if (limit != null) {
      long begun = System.nanoTime();
      limit.acquireUninterruptibly();
      held.set(true);
      span.add("queue", begun, System.nanoTime());
    }
  }

  /** Acquires the permit, interruptibly; the wait is a part of {@code span}. */
  void takeInterruptibly(Span span) throws InterruptedException {
    if (limit != null) {
      long begun = System.nanoTime();
      limit.acquire();
      held.set(true);
      span.add("queue", begun, System.nanoTime());
    }
  }

  /** Releases the permit if it is held. */
  void giveBack() {
    if (limit != null && held.compareAndSet(true, false)) {
      limit.release();
    }
  }
}
