package roll.itests;

import java.util.concurrent.CountDownLatch;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;

/** A bundle activator whose start blocks until it is interrupted. */
public final class StuckActivator implements BundleActivator {
  @Override
  public void start(BundleContext context) throws InterruptedException {
    new CountDownLatch(1).await();
  }

  @Override
  public void stop(BundleContext context) {
    // never reached
  }
}
