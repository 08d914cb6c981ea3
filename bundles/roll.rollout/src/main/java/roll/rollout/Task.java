package roll.rollout;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What a thread does once, and then lets go of. A framework may know a thread that ended for a long
 * time: Felix has one for each class that two threads loaded at once. It must not keep the classes
 * of plugins in memory that have long been replaced.
 */
final class Task implements Runnable {
  private final AtomicReference<@Nullable Runnable> work;

  /** To do {@code work}. */
  Task(Runnable work) {
    this.work = new AtomicReference<>(work);
  }

  @Override
  public void run() {
    Runnable once = work.getAndSet(null);
    if (once != null) {
      once.run();
    }
  }
}
