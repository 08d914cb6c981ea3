package roll.deploy;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.osgi.framework.BundleContext;
import org.osgi.framework.InvalidSyntaxException;

/**
 * The time in which the launcher starts the bundles of the distribution, on a thread of its own:
 * until it is over nobody else installs or starts any.
 */
final class LauncherStartup {
  private static final String READY = "(launcher.ready=*)";
  private static final long LOOK_MILLIS = 50;
  private static final int MOST_LOOKS = 1200;

  private final BundleContext context;
  private final CountDownLatch over = new CountDownLatch(1);

  /** That of the framework of {@code context}. */
  LauncherStartup(BundleContext context) {
    this.context = context;
  }

  /** Says that it is over. */
  void isOver() {
    over.countDown();
  }

  /** Waits until somebody or the launcher says so; a minute where none does. */
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
