package roll.api.plugin;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A task of a thread that runs once and releases its reference. A framework may reference ended
 * threads for a long time: Felix keeps one for each class that two threads loaded concurrently. So
 * a thread that runs code of a plugin gets such a task, and the classes of a replaced plugin can be
 * unloaded.
 */
public final class OneShotTask implements Runnable {
  private final AtomicReference<@Nullable Runnable> work;

  /** Creates a one shot task that wraps {@code work}. */
  public OneShotTask(Runnable work) {
    this.work = new AtomicReference<>(work);
  }

  /** Runs the work the first time; later calls do nothing. */
  @Override
  public void run() {
    Runnable once = work.getAndSet(null);
    if (once != null) {
      once.run();
    }
  }
}
