package roll.rollout.supervise;

import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

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

  /** Acquires the permit of an episode, uninterruptibly. */
  void take() {
    if (limit != null) {
      limit.acquireUninterruptibly();
      held.set(true);
    }
  }

  /** Acquires the permit of an episode, interruptibly. */
  void takeInterruptibly() throws InterruptedException {
    if (limit != null) {
      limit.acquire();
      held.set(true);
    }
  }

  /** Releases the permit if it is held. */
  void giveBack() {
    if (limit != null && held.compareAndSet(true, false)) {
      limit.release();
    }
  }
}
