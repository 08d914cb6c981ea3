package roll.deploy;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.osgi.framework.BundleContext;
import org.osgi.framework.startlevel.FrameworkStartLevel;

/**
 * The framework's start-level thread. bnd's launcher asks it for a level for every bundle that is
 * installed, and it complains of one that is gone when its turn comes.
 */
final class StartLevels {
  private static final long PATIENCE_SECONDS = 3;

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
