package roll.api.plugin;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What a thread does once, and then lets go of. A framework may know a thread that ended for a long
 * time: Felix has one for many a class that two threads loaded at once. It must not keep the
 * classes of plugins in memory that have long been replaced, so whoever starts a thread with
 * something of a plugin gives it an errand.
 */
public final class OneShotTask implements Runnable {
  private final AtomicReference<@Nullable Runnable> work;

  /** To do {@code work}. */
  public OneShotTask(Runnable work) {
    this.work = new AtomicReference<>(work);
  }

  /** Does the work the first time, and nothing from then on. */
  @Override
  public void run() {
    Runnable once = work.getAndSet(null);
    if (once != null) {
      once.run();
    }
  }
}
