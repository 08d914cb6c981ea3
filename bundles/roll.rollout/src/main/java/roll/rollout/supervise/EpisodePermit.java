package roll.rollout.supervise;

import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A permit of a semaphore that is released at most once, by any thread. */
public final class EpisodePermit {
  private final @Nullable Semaphore limit;
  private final AtomicBoolean held = new AtomicBoolean();

  /**
   * A permit that is not yet taken.
   *
   * @param limit where it is taken from, or null for no limit
   */
  public EpisodePermit(@Nullable Semaphore limit) {
    this.limit = limit;
  }

  /** Takes it, waiting for one if necessary, whatever interrupts. */
  void take() {
    if (limit != null) {
      limit.acquireUninterruptibly();
      held.set(true);
    }
  }

  /** Takes it, waiting for one if necessary. */
  void takeInterruptibly() throws InterruptedException {
    if (limit != null) {
      limit.acquire();
      held.set(true);
    }
  }

  /** Gives it back if it is held. */
  void giveBack() {
    if (limit != null && held.compareAndSet(true, false)) {
      limit.release();
    }
  }
}
