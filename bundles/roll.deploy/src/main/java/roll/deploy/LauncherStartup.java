package roll.deploy;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.osgi.framework.BundleContext;
import org.osgi.framework.InvalidSyntaxException;

/**
 * Waits until the launcher has started the bundles of the distribution on its own thread; no other
 * thread may install or start bundles before.
 */
final class LauncherStartup {
  private static final String READY = "(launcher.ready=*)";
  private static final long LOOK_MILLIS = 50;
  private static final int MOST_LOOKS = 1200;

  private final BundleContext context;
  private final CountDownLatch over = new CountDownLatch(1);

  /** The startup of the framework of {@code context}. */
  LauncherStartup(BundleContext context) {
    this.context = context;
  }

  /** Marks the startup as complete. */
  void complete() {
    over.countDown();
  }

  /** Waits until the startup is complete, at most a minute. */
  void await() throws InterruptedException {
    for (int i = 0; i < MOST_LOOKS && !ready(); i++) {
      if (over.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
        return;
      }
    }
  }

  private boolean ready() {
    try {
      return !context.getServiceReferences(Object.class, READY).isEmpty();
    } catch (InvalidSyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
