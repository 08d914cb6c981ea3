package roll.deploy;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.osgi.framework.BundleContext;
import org.osgi.framework.startlevel.FrameworkStartLevel;

/**
 * The framework's start-level thread. bnd's launcher asks it for a level for every bundle that is
 * installed or updated. It needs the bundle's lock for that, and complains of a bundle that
 * somebody else has, or that is gone, when its turn comes: whoever has changed a bundle waits for
 * it.
 */
final class StartLevels {
  private static final long PATIENCE_SECONDS = 10;

  private final FrameworkStartLevel levels;

  /** That of the framework of {@code context}. */
  StartLevels(BundleContext context) {
    this.levels = context.getBundle(0).adapt(FrameworkStartLevel.class);
  }

  /** Waits until it has done what it was asked so far, but not for ever. */
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
