package roll.ui;

import java.nio.file.Path;
import java.util.Map;
import org.apache.felix.framework.FrameworkFactory;
import org.osgi.framework.BundleException;
import org.osgi.framework.launch.Framework;
import roll.runtime.config.ConfigLoader;
import roll.runtime.pipeline.Trainer;
import roll.testkit.InMemoryPluginRegistry;

/** The component of the page in its own framework. */
final class PageServer implements AutoCloseable {
  /** The component. */
  final HttpLivePage page;

  private final Framework framework;

  /** Shows the runs of {@code trainer}; the framework keeps its files in {@code storage}. */
  PageServer(Path storage, Trainer trainer, ConfigLoader loader) throws BundleException {
    framework =
        new FrameworkFactory()
            .newFramework(Map.of("org.osgi.framework.storage", storage.toString()));
    framework.start();
    page =
        new HttpLivePage(
            trainer, new InMemoryPluginRegistry(), loader, framework.getBundleContext());
  }

  @Override
  public void close() {
    page.close();
    try {
      framework.stop();
      framework.waitForStop(0);
    } catch (BundleException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
