package roll.deploy;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.osgi.framework.BundleContext;
import org.osgi.framework.startlevel.FrameworkStartLevel;

/**
 * Waits for the framework's start-level thread. bnd's launcher requests a start level for every
 * bundle that is installed or updated, which needs the bundle's lock and fails if the bundle is in
 * use or gone; so every change to a bundle waits for this thread.
 */
final class StartLevels {
  private static final long PATIENCE_SECONDS = 10;

  private final FrameworkStartLevel levels;

  /** The start-level thread of the framework of {@code context}. */
  StartLevels(BundleContext context) {
    this.levels = context.getBundle(0).adapt(FrameworkStartLevel.class);
  }

  /** Waits until its pending requests are done, at most ten seconds. */
  void await() {
    CountDownLatch done = new CountDownLatch(1);
    levels.setStartLevel(levels.getStartLevel(), event -> done.countDown());
    try {
      var unused = done.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
