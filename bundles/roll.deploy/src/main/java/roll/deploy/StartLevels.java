package roll.deploy;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.startlevel.FrameworkStartLevel;
import org.osgi.framework.wiring.FrameworkWiring;

/**
 * Waits for the framework's start-level thread. bnd's launcher requests a start level for every
 * bundle that is installed or updated, which needs the bundle's lock and fails if the bundle is in
 * use or gone; so every change to a bundle waits for this thread.
 */
final class StartLevels {
  private static final long PATIENCE_SECONDS = 10;

  private final FrameworkStartLevel levels;
  private final FrameworkWiring wiring;

  /** The start-level thread of the framework of {@code context}. */
  StartLevels(BundleContext context) {
    this.levels = context.getBundle(0).adapt(FrameworkStartLevel.class);
    this.wiring = context.getBundle(0).adapt(FrameworkWiring.class);
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

  /** Refreshes {@code bundle} and its dependents, and waits until no step uses them any more. */
  void refresh(Bundle bundle) {
    await();
    CountDownLatch done = new CountDownLatch(1);
    wiring.refreshBundles(List.of(bundle), event -> done.countDown());
    try {
      done.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    await();
  }
}
